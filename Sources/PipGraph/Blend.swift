public import PipEffects
package import PipFrames

/// A node that blends one picture with another.
///
/// A handle: all references to it stand for the same blend. The blend has the size of the base; overlay and mask are
/// stretched to this size. Base, overlay and mask may be any nodes, even the same one. Effects after the blend may
/// share the blend's render pass.
///
/// ```swift
/// let both = Blend(.screen, base: back, overlay: front --> Contrast(1.2))
/// let cut = Blend(.normal, base: back, overlay: front, mask: PictureSource("circle.png"))
/// ```
public final class Blend: FrameProducer {
    public let node: GraphNode

    /// Creates a blend of two pictures.
    ///
    /// - Parameters:
    ///   - mode: The blend mode.
    ///   - base: The picture below.
    ///   - overlay: The picture above.
    ///   - mask: The picture that masks the overlay by the channel that the mode selects. Nil shows the overlay
    ///     everywhere.
    public init(
        _ mode: BlendMode, base: some FrameProducer, overlay: some FrameProducer,
        mask: (any FrameProducer)? = nil
    ) {
        let inputs = BlendInputs(base: base.node.id, overlay: overlay.node.id, mask: mask?.node.id)
        node = GraphNode(.blend(mode, inputs))
        for other in [base.node, overlay.node] + (mask.map { [$0.node] } ?? []) { node.wiring.join(other.wiring) }
    }

    /// The blend mode with its present parameters.
    public var mode: BlendMode {
        guard case .blend(let mode, _)? = node.wiring.graph[node.id] else { return .normal }
        return mode
    }

    /// Changes the mode or its parameters, from the next frame on.
    ///
    /// - Parameter change: Changes the mode. The closure is called again if another task has changed the mode
    ///   meanwhile.
    /// - Throws: ``EffectError`` when a parameter is out of range. Then nothing changes.
    public func update(_ change: (inout BlendMode) -> Void) throws(EffectError) {
        while case .blend(let before, _)? = node.wiring.graph[node.id] {
            var mode = before
            change(&mode)
            try mode.validate()
            let isSet = node.wiring.edit { (graph: inout Graph) throws(Never) in
                guard case .blend(before, let inputs)? = graph[node.id] else { return false }
                graph.set(.blend(mode, inputs), for: node.id)
                return true
            }
            if isSet { return }
        }
    }
}

/// The nodes whose frames a blend takes.
package struct BlendInputs: Sendable, Hashable {
    /// The node of the lower picture.
    package var base: NodeID
    /// The node of the upper picture.
    package var overlay: NodeID
    /// The node of the picture that masks the overlay; nil shows the overlay everywhere.
    package var mask: NodeID?
}
