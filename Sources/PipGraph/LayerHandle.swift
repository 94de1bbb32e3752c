public import PipFrames

/// A layer of a compositor: the handle by which it is changed and removed.
///
/// Handles of one layer are equal. They can be used at any time, from any task.
public final class LayerHandle: Sendable, Hashable {
    /// The compositor that the layer was added to.
    public let compositor: Compositor
    /// Identifies the layer.
    public let id: NodeID

    init(_ id: NodeID, of compositor: Compositor) {
        self.id = id
        self.compositor = compositor
    }

    /// The layer's place and look; nil after the layer was removed.
    public var record: LayerRecord? { compositor.composition?.layers.first { $0.id == id } }

    /// Changes the layer's place or look, from the next frame on.
    ///
    /// - Parameter change: The change of the record; called again when another task has changed the record meanwhile.
    /// - Throws: ``GraphError`` when the layer was removed, or cannot be drawn with the change; then nothing changes.
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
    /// - Parameter producer: A node of any graph; it joins the compositor's.
    /// - Throws: ``GraphError`` when the layer was removed; then nothing changes.
    public func show(_ producer: some FrameProducer) throws(GraphError) {
        compositor.node.wiring.join(producer.node.wiring)
        try compositor.change([self]) { layers, indices throws(GraphError) in
            layers[indices[0]].input = producer.node.id
        }
    }

    /// Takes the layer away, from the next frame on.
    ///
    /// - Throws: ``GraphError`` when it was removed before.
    public func remove() throws(GraphError) {
        try compositor.change([self]) { layers, indices throws(GraphError) in layers.remove(at: indices[0]) }
    }

    private var label: String { compositor.node.wiring.graph.label(of: compositor.node.id) }

    public static func == (left: LayerHandle, right: LayerHandle) -> Bool { left.id == right.id }
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
