public import PipFrames
public import PipGraph
internal import PipPlan

/// The layer at a point of a compositor's picture, and the point of the layer's source that is visible there.
public struct LayerHit: Sendable, Hashable {
    /// The uppermost layer at the point.
    public let layer: LayerHandle
    /// The source whose picture shows at the point.
    ///
    /// A layer of another compositor is followed to that compositor's source. While the layer shows a slate, the node
    /// is the slate's.
    ///
    /// Nil where the layer shows a crop of an effect's result, and where a nested compositor draws no layer at the
    /// point.
    public let source: NodeID?
    /// The point's distance from the left edge of the source's stored picture, as a share of the picture's width, 0…1.
    ///
    /// The stored picture of a rotated or mirrored camera is the sensor's own. Distortion by effects is ignored. The
    /// value is 0 without a source.
    public let x: Double
    /// The point's distance from the top edge of the source's stored picture, as a share of the picture's height, 0…1;
    /// 0 without a source.
    public let y: Double
}

/// A point of a compositor's picture at which a layer shows a given point of a source.
public struct LayerPoint: Sendable, Hashable {
    /// The layer that shows the source's point.
    public let layer: LayerHandle
    /// The distance from the left edge of the compositor's picture.
    ///
    /// Units: canvas pixels.
    public let x: Double
    /// The distance from the top edge of the compositor's picture.
    ///
    /// Units: canvas pixels.
    public let y: Double
}

/// The rectangle in which a layer is drawn, with the sizes of its canvas and its content.
public struct LayerPlace: Sendable, Hashable {
    /// The layer's rectangle, which may extend beyond the canvas.
    ///
    /// Units: canvas pixels.
    public let rect: PixelRect
    /// The size of the canvas, in pixels.
    public let canvas: PixelSize
    /// The size of the layer's upright picture, as ``Placement/dragged(toX:y:content:canvas:reach:)`` takes it for
    /// `content`.
    public let content: PixelSize
}

extension Session {
    /// The place of a layer in the present plan.
    ///
    /// The place follows ``configure(_:)`` when that function returns, and other changes once their plan is drawn.
    /// While the layer moves, the place is that in the latest frame.
    ///
    /// - Parameter layer: A layer of this session.
    /// - Returns: The place. Nil while the layer shows nothing: without frames, switched off, with an opacity of 0, or
    ///   outside the canvas.
    public func place(of layer: LayerHandle) -> LayerPlace? {
        plan.layers[layer.id].map { LayerPlace(rect: $0.rect, canvas: $0.canvas, content: $0.content) }
    }

    /// Finds the layer that is visible at a point of a compositor's picture.
    ///
    /// - Parameters:
    ///   - x: The distance from the left edge. Units: canvas pixels.
    ///   - y: The distance from the top edge. Units: canvas pixels.
    ///   - compositor: A compositor of this session.
    /// - Returns: The uppermost layer at the point, translucent layers included; nil where no layer is visible.
    public func layer(atX x: Double, y: Double, of compositor: Compositor) -> LayerHit? {
        guard let hit = PointHit(x: x, y: y, of: compositor.node.id, in: DrawnGraph(graph, plan: plan)),
            let layer = compositor.layers.first(where: { $0.id == hit.layer })
        else { return nil }
        return LayerHit(layer: layer, source: hit.source, x: hit.x, y: hit.y)
    }

    /// Finds the points of a compositor's picture at which layers show a point of a source: the inverse of
    /// ``layer(atX:y:of:)``.
    ///
    /// - Parameters:
    ///   - x: The distance from the left edge of the source's stored picture, 0…1. The stored picture of a rotated or
    ///     mirrored camera is the sensor's own.
    ///   - y: The distance from the top edge of the source's stored picture, 0…1.
    ///   - source: A source of this session.
    ///   - compositor: A compositor of this session.
    /// - Returns: The points of each layer that shows the source's point, the lowest layer first. Other layers may
    ///   cover a point, as ``layer(atX:y:of:)`` tells. Layers that crop the point away, or that show a crop of an
    ///   effect's result, are left out. Distortion by effects is ignored.
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
