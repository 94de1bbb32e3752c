public import PipFrames

/// The handle of a compositor's layer, which changes and removes the layer.
///
/// Handles of the same layer are equal. Thread: any; changes may be made at any time.
public final class LayerHandle: Sendable, Hashable {
    /// The compositor that the layer was added to.
    public let compositor: Compositor
    /// Identifies the layer in its compositor.
    public let id: NodeID

    init(_ id: NodeID, of compositor: Compositor) {
        self.id = id
        self.compositor = compositor
    }

    /// The layer's properties, such as its place and look; nil after the layer was removed.
    public var record: LayerRecord? { compositor.composition?.layers.first { $0.id == id } }

    /// Changes the layer's properties, such as its place and look, from the next frame on.
    ///
    /// - Parameter change: Changes the record. The closure is called again if another task has changed the record
    ///   meanwhile.
    /// - Throws: ``GraphError`` when the layer was removed, or cannot be drawn with the change. Then nothing changes.
    public func update(_ change: (inout LayerRecord) -> Void) throws(GraphError) {
        var isSet = false
        repeat {
            guard let before = record else { throw .removedLayer(node: label) }
            var record = before
            change(&record)
            try record.check(label)
            try compositor.change([self]) { layers, indices throws(GraphError) in
                guard layers[indices[0]] == before else { return }
                layers[indices[0]] = record
                isSet = true
            }
        } while !isSet
    }

    /// Shows the frames of another producer in the layer, from the next frame on.
    ///
    /// - Parameter producer: A node of any graph, which joins the compositor's graph.
    /// - Throws: ``GraphError`` when the layer was removed. Then the layer does not change.
    public func show(_ producer: some FrameProducer) throws(GraphError) {
        compositor.node.wiring.join(producer.node.wiring)
        try compositor.change([self]) { layers, indices throws(GraphError) in
            layers[indices[0]].input = producer.node.id
        }
    }

    /// Removes the layer from its compositor, from the next frame on.
    ///
    /// - Throws: ``GraphError`` when the layer was removed before.
    public func remove() throws(GraphError) {
        try compositor.change([self]) { layers, indices throws(GraphError) in layers.remove(at: indices[0]) }
    }

    private var label: String { compositor.node.wiring.graph.label(of: compositor.node.id) }

    public static func == (left: LayerHandle, right: LayerHandle) -> Bool { left.id == right.id }
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
