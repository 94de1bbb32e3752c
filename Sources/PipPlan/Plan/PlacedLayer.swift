internal import PipEffects
public import PipFrames
package import PipGraph

/// A layer as a plan draws it: where it lies on its canvas, and which part of its picture it shows there.
public struct PlacedLayer: Sendable, Hashable {
    /// In canvas pixels; it may reach beyond the canvas.
    public let rect: PixelRect
    /// The size of the canvas.
    public let canvas: PixelSize
    /// The size of the picture that is placed, upright: what ``Placement`` calls its content.
    public let content: PixelSize
    /// The radius of its corners, in canvas pixels.
    public let cornerRadius: Double
    /// The source or the compositor that the picture comes from, through the layer's effects.
    package let origin: NodeID
    /// The size of the origin's picture as it is stored.
    package let stored: PixelSize
    /// From canvas pixels to shares of the origin's picture as it is stored, 0…1; effects that distort are left out.
    ///
    /// Nil where the picture is a part of what effects have drawn.
    package let shares: Mapping?

    init(_ layer: LayerPlan, origin: NodeID, canvas: PixelSize, isPartOfChain: Bool) {
        stored = layer.image.size
        rect = layer.rect
        self.canvas = canvas
        content = layer.orientation.then(layer.record.placement.orientation).size(of: layer.crop.size)
        cornerRadius = min(layer.record.look.cornerRadius, Double(min(rect.width, rect.height)) / 2)
        self.origin = origin
        guard !isPartOfChain else {
            shares = nil
            return
        }
        let context = EffectContext(matrix: layer.image.colorimetry.matrix, scale: layer.scale, size: rect.size)
        let turns =
            [layer.record.placement.orientation]
            + layer.links.reversed().compactMap { link in
                if case .orientation(let turn) = link.operation(in: context) { turn } else { nil }
            }
        let upright = turns.reduce(layer.positions) { $0.then(Mapping($1)) }
        shares = upright.then(layer.place).then(
            .scale(1 / Double(max(stored.width, 1)), 1 / Double(max(stored.height, 1))))
    }

    /// True when the layer covers a point of the canvas, its round corners considered; its border belongs to it.
    ///
    /// - Parameters:
    ///   - x: In canvas pixels, from the left.
    ///   - y: In canvas pixels, from the top.
    /// - Returns: False beyond its edge, and beyond the canvas's.
    public func contains(x: Double, y: Double) -> Bool {
        let (left, top) = (Double(rect.x), Double(rect.y))
        let (right, bottom) = (Double(rect.maxX), Double(rect.maxY))
        guard x >= max(left, 0), y >= max(top, 0), x < min(right, Double(canvas.width)),
            y < min(bottom, Double(canvas.height))
        else { return false }
        let beyondX = max(left + cornerRadius - x, x - (right - cornerRadius), 0)
        let beyondY = max(top + cornerRadius - y, y - (bottom - cornerRadius), 0)
        return beyondX * beyondX + beyondY * beyondY <= cornerRadius * cornerRadius || beyondX * beyondY == 0
    }
}

/// A layer at a point of a canvas, and the point of the source that shows there.
package struct PointHit: Sendable, Hashable {
    /// The uppermost layer.
    package var layer: NodeID
    /// The source; nil where effects have cut a part out of what others have drawn, or nothing is drawn there.
    package var source: NodeID?
    /// In shares of the source's picture as it is stored.
    package var x = 0.0
    package var y = 0.0
}

extension RenderPlan {
    /// The uppermost layer at a point of a compositor's canvas, with the source that shows there, through compositors
    /// in between.
    package func hit(x: Double, y: Double, of compositor: NodeID, in graph: Graph) -> PointHit? {
        guard case .compositor(let composition)? = graph[compositor] else { return nil }
        for record in composition.drawingOrder.reversed() {
            guard let placed = layers[record.id], placed.contains(x: x, y: y) else { continue }
            var hit = PointHit(layer: record.id)
            guard let point = placed.shares?.applied(x: x, y: y) else { return hit }
            guard case .compositor? = graph[placed.origin] else {
                (hit.source, hit.x, hit.y) = (placed.origin, point.x, point.y)
                return hit
            }
            let (width, height) = (Double(placed.stored.width), Double(placed.stored.height))
            if let inner = self.hit(x: point.x * width, y: point.y * height, of: placed.origin, in: graph) {
                (hit.source, hit.x, hit.y) = (inner.source, inner.x, inner.y)
            }
            return hit
        }
        return nil
    }
}
