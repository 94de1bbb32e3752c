#if Media
internal import PipFrames
public import PipGraph

/// A layer whose picture is heard: whichever picture is in it, its input of a mixer is.
struct SoundFollowing: Sendable {
    let layer: LayerHandle
    /// What is heard with each picture.
    let sounds: [(picture: NodeID, input: AudioInput)]
    let fade: Duration
    /// The node that the layer showed last.
    private var shown: NodeID?

    init(_ layer: LayerHandle, _ sounds: [(picture: NodeID, input: AudioInput)], fade: Duration) {
        (self.layer, self.sounds, self.fade) = (layer, sounds, fade)
    }

    /// Looks at what the layer shows.
    ///
    /// - Returns: What is to be heard from now on; nil where that is as before, or the picture has no sound.
    mutating func changed() -> AudioInput? {
        guard let input = layer.record?.input, input != shown else { return nil }
        shown = input
        let graph = layer.compositor.node.wiring.graph
        // The nearest one: a picture may be made of several.
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
    /// Hears what a layer shows: when pictures are swapped, so is their sound.
    ///
    /// ```swift
    /// sound.follow(picture.layers[0], [(road, roadMicrophone), (cabin, cabinMicrophone)])
    /// try picture.swap(picture.layers[0], picture.layers[1])
    /// ```
    ///
    /// It takes the place of what was followed before. A picture that is not among them changes nothing; inputs that
    /// are not among them are left out, as by ``crossfade(to:over:)``.
    ///
    /// - Parameters:
    ///   - layer: The large picture, in most cases.
    ///   - sounds: What is heard with which picture: a source, or a node that is drawn in the layer by way of others.
    ///   - duration: The length of the fade from one to the other.
    public func follow(
        _ layer: LayerHandle, _ sounds: [(picture: any FrameProducer, input: AudioInput)],
        over duration: Duration = .milliseconds(300)
    ) {
        follow(SoundFollowing(layer, sounds.map { ($0.picture.node.id, $0.input) }, fade: duration))
    }

    /// Follows no layer any more: what is heard stays so.
    public func stopFollowing() { follow(nil) }
}
#endif
