package import PipFrames
package import PipGraph

/// A layer as a plan draws it: the layer's position on the canvas, and the visible part of the layer's picture.
package struct PlacedLayer: Sendable, Hashable {
    /// The layer's rectangle in canvas pixels, which may reach beyond the canvas.
    package let rect: PixelRect
    /// The size of the canvas, in pixels.
    package let canvas: PixelSize
    /// The size of the upright picture, which ``Placement`` calls its content, in pixels.
    package let content: PixelSize
    /// The radius of the layer's corners, in canvas pixels.
    package let cornerRadius: Double
    /// The source or the compositor that the picture comes from, through the layer's effects.
    ///
    /// The node of the effect or blend where the layer shows a crop of that node's result.
    package let origin: NodeID
    /// The size of the origin's stored picture, before any rotation, in pixels.
    package let stored: PixelSize
    /// The map from canvas pixels to shares of the origin's stored picture, 0…1.
    ///
    /// The map ignores effects that distort. Nil where the layer shows a crop of an effect's or a blend's result.
    package let shares: Mapping?
    /// The layer's position among the compositor's layers that the plan draws, from 1 for the lowest layer.
    package let depth: Int
    /// The place from which a later motion of the layer starts.
    package let place: LayerMotion.ShownPlace

    init(_ layer: LayerPlan, origin: NodeID, canvas: PixelSize, depth: Int, isPartOfChain: Bool) {
        place = layer.shownPlace
        self.depth = depth
        stored = layer.image.size
        rect = layer.rect
        self.canvas = canvas
        content = layer.content
        cornerRadius = min(layer.record.look.cornerRadius, Double(min(rect.width, rect.height)) / 2)
        self.origin = origin
        guard !isPartOfChain else {
            shares = nil
            return
        }
        let upright = ([layer.record.placement.orientation] + layer.turns)
            .reduce(layer.positions) { $0.then(Mapping($1)) }
        shares = upright.then(layer.place).then(
            .scale(1 / Double(max(stored.width, 1)), 1 / Double(max(stored.height, 1))))
    }

    /// The layers of a compositor that a plan draws, in the graph's order.
    fileprivate static func all(
        of compositor: NodeID, in drawn: DrawnGraph
    ) -> [(id: NodeID, placed: PlacedLayer)] {
        guard case .compositor(let composition)? = drawn.graph[compositor] else { return [] }
        return composition.layers.compactMap { record in
            drawn.plan.layers[record.id].map { (id: record.id, placed: $0) }
        }
    }

    /// True when the layer covers a point of the canvas, with its border and within its round corners.
    ///
    /// - Parameters:
    ///   - x: The distance from the left, in canvas pixels.
    ///   - y: The distance from the top, in canvas pixels.
    /// - Returns: False beyond the edges of the layer or the canvas.
    package func contains(x: Double, y: Double) -> Bool {
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

/// A graph together with the plan that draws it.
package struct DrawnGraph {
    package let graph: Graph
    package let plan: RenderPlan

    package init(_ graph: Graph, plan: RenderPlan) {
        self.graph = graph
        self.plan = plan
    }
}

/// A point on the canvas at which a layer shows a given point of a source.
package struct ShownPoint: Sendable, Hashable {
    package let layer: NodeID
    /// The distance from the canvas's left edge, in canvas pixels.
    package let x: Double
    package let y: Double

    /// Finds all points on a compositor's canvas where a point of a source appears.
    ///
    /// Follows nested compositors, but leaves out layers that show a crop of an effect's or a blend's result. Layers
    /// above may hide the points.
    ///
    /// - Parameters:
    ///   - x: The distance from the left edge, in shares of the source's stored picture.
    ///   - y: The distance from the top edge, in shares of the source's stored picture.
    ///   - source: The source.
    ///   - compositor: The compositor's node.
    ///   - drawn: The graph and its plan.
    /// - Returns: The points of each layer that shows the source's point, the lowest layer first. A layer that shows a
    ///   compositor may have several points.
    package static func all(
        x: Double, y: Double, of source: NodeID, on compositor: NodeID, in drawn: DrawnGraph
    ) -> [ShownPoint] {
        let layers = PlacedLayer.all(of: compositor, in: drawn)
        return layers.sorted { $0.placed.depth < $1.placed.depth }.flatMap { id, placed -> [ShownPoint] in
            guard let back = placed.shares?.inverse else { return [] }
            var shares = [(x: x, y: y)]
            if placed.origin != source {
                let (width, height) = (Double(max(placed.stored.width, 1)), Double(max(placed.stored.height, 1)))
                shares = all(x: x, y: y, of: source, on: placed.origin, in: drawn).map {
                    ($0.x / width, $0.y / height)
                }
            }
            return shares.map { back.applied(x: $0.x, y: $0.y) }.filter { placed.contains(x: $0.x, y: $0.y) }
                .map { ShownPoint(layer: id, x: $0.x, y: $0.y) }
        }
    }
}

/// A layer at a point of a canvas, and the point of the source that shows there.
package struct PointHit: Sendable, Hashable {
    /// The uppermost layer at the point.
    package var layer: NodeID
    /// The source at the point.
    ///
    /// Nil where the layer shows a crop of an effect's or a blend's result, and where a nested compositor draws no
    /// layer.
    package var source: NodeID?
    /// The distance from the left edge, in shares of the source's stored picture.
    package var x = 0.0
    package var y = 0.0

    /// Finds the uppermost layer at a point of a compositor's canvas, and the point of the source that shows there.
    ///
    /// Follows nested compositors. Returns nil when no layer covers the point.
    ///
    /// - Parameters:
    ///   - x: The distance from the left, in canvas pixels.
    ///   - y: The distance from the top, in canvas pixels.
    ///   - compositor: The compositor's node.
    ///   - drawn: The graph and its plan.
    package init?(x: Double, y: Double, of compositor: NodeID, in drawn: DrawnGraph) {
        let found = PlacedLayer.all(of: compositor, in: drawn).filter { $0.placed.contains(x: x, y: y) }
        guard let (id, placed) = found.max(by: { $0.placed.depth < $1.placed.depth }) else { return nil }
        layer = id
        guard let point = placed.shares?.applied(x: x, y: y) else { return }
        guard case .compositor? = drawn.graph[placed.origin] else {
            (source, self.x, self.y) = (placed.origin, point.x, point.y)
            return
        }
        let (width, height) = (Double(placed.stored.width), Double(placed.stored.height))
        let inner = PointHit(x: point.x * width, y: point.y * height, of: placed.origin, in: drawn)
        if let inner { (source, self.x, self.y) = (inner.source, inner.x, inner.y) }
    }
}
