public import PipFrames
public import PipGraph
internal import PipPlan

/// The layer at a point of a picture, and the point of its source that shows there.
public struct LayerHit: Sendable, Hashable {
    /// The uppermost layer at the point.
    public let layer: LayerHandle
    /// The node whose picture shows there: a source, through compositors that the layer may show.
    ///
    /// Nil where effects have cut a part out of what others have drawn, and beyond what a compositor shows.
    public let source: NodeID?
    /// The point of the source's picture as it is stored, from its left edge, 0…1: of a camera that is turned or
    /// mirrored, the sensor's own.
    ///
    /// Effects that distort are not considered. 0 without a source.
    public let x: Double
    /// The point's distance from the top edge, 0…1.
    public let y: Double
}

/// A point of a compositor's picture at which a point of a source shows.
public struct LayerPoint: Sendable, Hashable {
    /// The layer that shows it.
    public let layer: LayerHandle
    /// The distance from the left edge.
    ///
    /// Units: canvas pixels.
    public let x: Double
    /// The distance from the top edge.
    ///
    /// Units: canvas pixels.
    public let y: Double
}

/// The place of a layer as it is drawn.
public struct LayerPlace: Sendable, Hashable {
    /// Its rectangle in canvas pixels; it may reach beyond the canvas.
    public let rect: PixelRect
    /// The size of the canvas.
    public let canvas: PixelSize
    /// The size of its picture, upright: the content that ``Placement/dragged(toX:y:content:canvas:reach:)`` takes.
    public let content: PixelSize
}

extension Session {
    /// The place of a layer, by the plan in use.
    ///
    /// It knows what ``configure(_:)`` has changed at once, other changes shortly after their first frame. While the
    /// layer moves, it is the place of the latest frame.
    ///
    /// - Parameter layer: A layer of this session.
    /// - Returns: Nil while it shows nothing: without frames, with an opacity of 0, or beyond the canvas.
    public func place(of layer: LayerHandle) -> LayerPlace? {
        plan.layers[layer.id].map { LayerPlace(rect: $0.rect, canvas: $0.canvas, content: $0.content) }
    }

    /// The layer that shows at a point of a compositor's picture.
    ///
    /// - Parameters:
    ///   - x: The distance from the left edge. Units: canvas pixels.
    ///   - y: The distance from the top edge. Units: canvas pixels.
    ///   - compositor: A compositor of this session.
    /// - Returns: The uppermost layer there, translucent ones too; nil where there is none.
    public func layer(atX x: Double, y: Double, of compositor: Compositor) -> LayerHit? {
        guard let hit = PointHit(x: x, y: y, of: compositor.node.id, in: DrawnGraph(graph, plan: plan)),
            let layer = compositor.layers.first(where: { $0.id == hit.layer })
        else { return nil }
        return LayerHit(layer: layer, source: hit.source, x: hit.x, y: hit.y)
    }

    /// The points of a compositor's picture at which a point of a source shows: the way back of
    /// ``layer(atX:y:of:)``.
    ///
    /// - Parameters:
    ///   - x: The distance from the left edge of the source's stored picture, 0…1. A camera's picture is stored as the
    ///     sensor sees it, turned or mirrored.
    ///   - y: The distance from its top edge, 0…1.
    ///   - source: A source of this session.
    ///   - compositor: A compositor of this session.
    /// - Returns: One for each layer that shows it, the lowest first; other layers may lie over them, which
    ///   ``layer(atX:y:of:)`` tells. Empty where it is cut off, and behind effects that distort.
    public func points(
        ofX x: Double, y: Double, in source: some FrameProducer, on compositor: Compositor
    ) -> [LayerPoint] {
        let layers = compositor.layers
        let drawn = DrawnGraph(graph, plan: plan)
        return ShownPoint.all(x: x, y: y, of: source.node.id, on: compositor.node.id, in: drawn).compactMap { point in
            layers.first { $0.id == point.layer }.map { LayerPoint(layer: $0, x: point.x, y: point.y) }
        }
    }
}
