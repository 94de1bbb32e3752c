#if Media
internal import PipFrames
public import PipGraph

/// A followed layer: the mixer selects the input that belongs to the layer's picture.
struct SoundFollowing: Sendable {
    let layer: LayerHandle
    /// The input of each picture.
    let sounds: [(picture: NodeID, input: AudioInput)]
    let fade: Duration
    /// The node that the layer showed at the last check.
    private var shown: NodeID?

    init(_ layer: LayerHandle, _ sounds: [(picture: NodeID, input: AudioInput)], fade: Duration) {
        (self.layer, self.sounds, self.fade) = (layer, sounds, fade)
    }

    /// Checks the layer's picture.
    ///
    /// - Returns: The input to hear from now on. Nil when the picture is the same as before, or has no sound.
    mutating func changed() -> AudioInput? {
        guard let input = layer.record?.input, input != shown else { return nil }
        shown = input
        let graph = layer.compositor.node.wiring.graph
        // Take the nearest node with sound: a picture may be made of several.
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
    /// Follows a layer: its picture's input is heard alone.
    ///
    /// When layers are swapped, so is their sound.
    ///
    /// ```swift
    /// sound.follow(picture.layers[0], [(road, roadMicrophone), (cabin, cabinMicrophone)])
    /// try picture.swap(picture.layers[0], picture.layers[1])
    /// ```
    ///
    /// A mixer follows one layer at a time. A picture outside `sounds` changes nothing. Inputs outside `sounds` are
    /// removed from the mix, as by ``crossfade(to:over:)``.
    ///
    /// - Parameters:
    ///   - layer: The layer to follow, in most cases the large picture.
    ///   - sounds: The input for each picture. A picture may be a source, or any node that is drawn in the layer
    ///     through others.
    ///   - duration: The length of the fade from one input to another.
    public func follow(
        _ layer: LayerHandle, _ sounds: [(picture: any FrameProducer, input: AudioInput)],
        over duration: Duration = .milliseconds(300)
    ) {
        follow(SoundFollowing(layer, sounds.map { ($0.picture.node.id, $0.input) }, fade: duration))
    }

    /// Follows no layer any more; the mix keeps its inputs.
    public func stopFollowing() { follow(nil) }
}
#endif
