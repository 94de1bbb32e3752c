public import PipFrames

/// A node that draws layers into one picture.
///
/// A handle: all references to it stand for the same compositor. Thread: any; changes may be made at any time.
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
    /// The encoding of the values that are blended: gamma-encoded or linear.
    public enum Light: String, Sendable, CaseIterable {
        /// Blends gamma-encoded values, like a video mixer.
        case encoded
        /// Blends in linear light, like lenses and films: values are decoded by the sRGB curve, blended, and encoded
        /// again.
        ///
        /// 50 % white over black becomes 188 of 255, instead of 128. The choice affects opacity, translucent pictures,
        /// rounded corners, borders, shadows and blends (except ``BlendKind/poisson``). Opaque rectangles are drawn as
        /// fast as with ``encoded``.
        case linear
    }

    public let node: GraphNode

    /// Creates a compositor with its layers, bottom first.
    ///
    /// - Parameters:
    ///   - canvas: The size of the picture; nil takes the size of the lowest enabled layer that has frames, or 1280x720
    ///     while there is no such layer.
    ///   - background: The colour where no layer covers the canvas.
    ///   - light: The encoding of the values that are blended.
    ///   - layers: The first layers; ``add(_:)`` adds others.
    public init(
        canvas: PixelSize? = nil, background: Color = .black, light: Light = .encoded,
        @LayerBuilder layers: () -> [Layer] = { [] }
    ) {
        node = GraphNode(.compositor(Composition(canvas: canvas, background: background, light: light)))
        for layer in layers() { add(layer) }
    }

    /// The encoding of the values that are blended.
    ///
    /// A change takes effect with the next frame.
    public var light: Light {
        get { composition?.light ?? .encoded }
        set { edit { $0.light = newValue } }
    }

    /// The layers in the order in which they were added.
    public var layers: [LayerHandle] {
        composition?.layers.map { LayerHandle($0.id, of: self) } ?? []
    }

    /// Adds a layer on top of the other layers of the same z.
    ///
    /// - Returns: The handle that changes and removes the layer.
    @discardableResult
    public func add(_ layer: Layer) -> LayerHandle {
        node.wiring.join(layer.producer.wiring)
        let record = layer.record(NodeID())
        edit { $0.layers.append(record) }
        return LayerHandle(record.id, of: self)
    }

    /// Exchanges the pictures of two layers; the places and looks of the layers stay.
    ///
    /// Swapping a main picture and an inset makes the inset the main picture.
    ///
    /// - Throws: ``GraphError`` when one of the layers is of another compositor, or was removed.
    public func swap(_ first: LayerHandle, _ second: LayerHandle) throws(GraphError) {
        try change([first, second]) { layers, indices throws(GraphError) in
            let input = layers[indices[0]].input
            layers[indices[0]].input = layers[indices[1]].input
            layers[indices[1]].input = input
        }
    }

    /// Places all layers in a named layout.
    ///
    /// A layer for which the layout has a place is switched on, and keeps its crop, fit and orientation. A layer
    /// without a place is switched off.
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

    /// Changes some of the compositor's layers.
    ///
    /// - Parameters:
    ///   - handles: The layers to change.
    ///   - change: Takes all layers, and the indices of the layers to change.
    /// - Throws: The error of `change`, and ``GraphError`` when one of the layers is of another compositor, or was
    ///   removed.
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
