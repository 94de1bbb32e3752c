public import PipFrames

/// A node that draws layers into one picture.
///
/// A handle: copies are the same compositor. It can be changed at any time, from any task.
///
/// ```swift
/// let picture = Compositor(canvas: .hd720) {
///     Layer(back)
///     Layer(front --> Mirror()).placed(.topRight, width: 0.25, margin: 24)
/// }
/// let inset = picture.layers[1]
/// try inset.update { $0.look.opacity = 0.5 }
/// ```
public final class Compositor: FrameProducer {
    /// The light in which layers are blended with what lies below them.
    public enum Light: String, Sendable, CaseIterable {
        /// Blending of gamma-encoded values, like a video mixer.
        case encoded
        /// Blending in linear light, like lenses and films: values are decoded by the sRGB curve, blended, and encoded
        /// again.
        ///
        /// White of 50 % over black becomes 188 of 255, not 128. The light matters for opacity, translucent pictures,
        /// rounded corners, borders, shadows and blends (``BlendKind/poisson`` aside). Opaque rectangles cost nothing
        /// more.
        case linear
    }

    public let node: GraphNode

    /// A compositor with its layers, bottom first.
    ///
    /// - Parameters:
    ///   - canvas: The size of its picture; nil takes the bottom layer's.
    ///   - background: The colour where no layer is.
    ///   - light: The light in which layers are blended.
    ///   - layers: The first layers; ``add(_:)`` adds others.
    public init(
        canvas: PixelSize? = nil, background: Color = .black, light: Light = .encoded,
        @LayerBuilder layers: () -> [Layer] = { [] }
    ) {
        node = GraphNode(.compositor(Composition(canvas: canvas, background: background, light: light)))
        for layer in layers() { add(layer) }
    }

    /// The light in which layers are blended; it may be changed at any time.
    public var light: Light {
        get { composition?.light ?? .encoded }
        set { edit { $0.light = newValue } }
    }

    /// The layers in the order in which they were added.
    public var layers: [LayerHandle] {
        composition?.layers.map { LayerHandle($0.id, of: self) } ?? []
    }

    /// Adds a layer on top of those with the same z.
    ///
    /// - Returns: The handle by which the layer is changed and removed.
    @discardableResult
    public func add(_ layer: Layer) -> LayerHandle {
        node.wiring.join(layer.producer.wiring)
        let record = layer.record(NodeID())
        edit { $0.layers.append(record) }
        return LayerHandle(record.id, of: self)
    }

    /// Exchanges the pictures of two layers; their places and looks stay.
    ///
    /// With a main picture and an inset: the inset becomes the main picture.
    ///
    /// - Throws: ``GraphError`` when one of them is not, or no longer, a layer of this compositor.
    public func swap(_ first: LayerHandle, _ second: LayerHandle) throws(GraphError) {
        try change([first, second]) { layers, indices throws(GraphError) in
            let input = layers[indices[0]].input
            layers[indices[0]].input = layers[indices[1]].input
            layers[indices[1]].input = input
        }
    }

    /// Puts all layers in their places of a named layout.
    ///
    /// A layer without a place is switched off.
    public func arrange(_ layout: Layout) {
        edit { composition in
            let places = layout.placements(count: composition.layers.count)
            for (index, place) in places.enumerated() {
                composition.layers[index].isEnabled = place != nil
                guard let place else { continue }
                var placement = place
                placement.orientation = composition.layers[index].placement.orientation
                placement.crop = composition.layers[index].placement.crop
                placement.fit = composition.layers[index].placement.fit
                composition.layers[index].placement = placement
            }
        }
    }

    /// Changes layers of its own.
    ///
    /// - Parameters:
    ///   - handles: The layers that are changed.
    ///   - change: Gets all layers, and the places of those that are changed.
    /// - Throws: What `change` throws, and ``GraphError`` when one is not, or no longer, a layer of this compositor.
    func change(
        _ handles: [LayerHandle],
        _ change: (inout [LayerRecord], _ indices: [Int]) throws(GraphError) -> Void
    ) throws(GraphError) {
        try node.wiring.edit { (graph: inout Graph) throws(GraphError) in
            let label = graph.label(of: node.id)
            guard case .compositor(var composition)? = graph[node.id] else { return }
            var indices: [Int] = []
            for handle in handles {
                guard handle.compositor === self || handle.compositor.node == node else {
                    throw .foreignLayer(node: label)
                }
                guard let index = composition.layers.firstIndex(where: { $0.id == handle.id }) else {
                    throw .removedLayer(node: label)
                }
                indices.append(index)
            }
            try change(&composition.layers, indices)
            graph.set(.compositor(composition), for: node.id)
        }
    }

    var composition: Composition? {
        if case .compositor(let composition)? = node.wiring.graph[node.id] { composition } else { nil }
    }

    private func edit(_ change: (inout Composition) -> Void) {
        node.wiring.edit { (graph: inout Graph) throws(Never) in
            guard case .compositor(var composition)? = graph[node.id] else { return }
            change(&composition)
            graph.set(.compositor(composition), for: node.id)
        }
    }
}
