#if Media
internal import PipFrames
public import PipGraph

/// Follows a layer: selects the mixer input that belongs to the layer's picture.
struct SoundFollowing: Sendable {
    let layer: LayerHandle
    /// The input for each picture, with the ID of the picture's node.
    let sounds: [(picture: NodeID, input: AudioInput)]
    let fade: Duration
    /// The node that the layer showed at the last check; nil before the first.
    private var shown: NodeID?

    init(_ layer: LayerHandle, _ sounds: [(picture: NodeID, input: AudioInput)], fade: Duration) {
        (self.layer, self.sounds, self.fade) = (layer, sounds, fade)
    }

    /// Checks whether the layer shows another picture.
    ///
    /// - Returns: The input to hear from now on. Nil when the picture is the same as before, or has no input in
    ///   `sounds`.
    mutating func changed() -> AudioInput? {
        guard let input = layer.record?.input, input != shown else { return nil }
        shown = input
        let graph = layer.compositor.node.wiring.graph
        // A picture may be composed of several pictures: take the nearest node that has sound.
        var nodes = [input]
        var known: Set<NodeID> = [input]
        while !nodes.isEmpty {
            let node = nodes.removeFirst()
            if let found = sounds.first(where: { $0.picture == node }) { return found.input }
            for next in graph.inputs(of: node) where known.insert(next).inserted { nodes.append(next) }
        }
        return nil
    }
}

extension AudioMixer {
    /// Follows a layer: the mix contains only the input of the layer's current picture.
    ///
    /// When layers are swapped, the sound changes with them.
    ///
    /// ```swift
    /// sound.follow(picture.layers[0], [(road, roadMicrophone), (cabin, cabinMicrophone)])
    /// try picture.swap(picture.layers[0], picture.layers[1])
    /// ```
    ///
    /// A mixer follows at most one layer. A picture that is not in `sounds` changes nothing. Each change of the sound
    /// removes all other inputs from the mix, as ``crossfade(to:over:)`` does, also inputs that are not in `sounds`.
    ///
    /// - Parameters:
    ///   - layer: The layer to follow, in most cases the large picture.
    ///   - sounds: The input for each picture. A picture may be a source, or any node that the layer draws through
    ///     other nodes.
    ///   - duration: The length of the fade from one input to another.
    public func follow(
        _ layer: LayerHandle, _ sounds: [(picture: any FrameProducer, input: AudioInput)],
        over duration: Duration = .milliseconds(300)
    ) {
        follow(SoundFollowing(layer, sounds.map { ($0.picture.node.id, $0.input) }, fade: duration))
    }

    /// Stops following a layer; the mix keeps its current inputs.
    public func stopFollowing() { follow(nil) }
}
#endif
