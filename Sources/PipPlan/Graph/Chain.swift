internal import PipEffects
internal import PipFrames
internal import PipGraph

/// The path that a picture takes through the graph: a source or compositor, and the nodes that change its picture, in
/// order.
struct Chain {
    /// The source or the compositor at the start.
    var start: NodeID
    var links: [ChainLink]
}

/// A node of a chain, which changes the chain's picture.
struct ChainLink {
    enum Kind {
        case effect(any Effect)
        /// A blend of the chain's picture, as the base, with other nodes' pictures.
        case blend(BlendMode, BlendInputs)
        case measurement(Measurement)
    }

    var kind: Kind
    /// The node of the effect or blend, or the sink of the measurement.
    var node: NodeID

    /// The name for labels of passes.
    var label: String {
        switch kind {
        case .effect(let effect): effect.title
        case .blend(let mode, _): mode.label
        case .measurement: "measurement"
        }
    }

    func operation(in context: EffectContext) -> EffectOperation {
        switch kind {
        case .effect(let effect): effect.operation(in: context)
        case .blend(let mode, let inputs): mode.operation(isMasked: inputs.mask != nil)
        case .measurement(let measurement): measurement.operation(in: context)
        }
    }

    /// The traits of the operation, which do not depend on the picture.
    var traits: EffectTraits { EffectTraits(operation(in: .reference)) }

    /// The other pictures of a blend: the overlay and, if there is one, the mask.
    var blendedNodes: [NodeID] {
        guard case .blend(_, let inputs) = kind else { return [] }
        return [inputs.overlay] + (inputs.mask.map { [$0] } ?? [])
    }
}

extension Graph {
    /// The chain that leads from a source or compositor to a node.
    func chain(endingAt id: NodeID) -> Chain {
        var links: [ChainLink] = []
        var current = id
        while true {
            switch self[current] {
            case .filter(let filter):
                guard let input = filter.input else { return Chain(start: current, links: links.reversed()) }
                links.append(ChainLink(kind: .effect(filter.effect), node: current))
                current = input
            case .blend(let mode, let inputs):
                links.append(ChainLink(kind: .blend(mode, inputs), node: current))
                current = inputs.base
            default: return Chain(start: current, links: links.reversed())
            }
        }
    }

    /// The sources of the pictures that the links blend in.
    func sources(blendedBy links: [ChainLink]) -> [NodeID] {
        var waiting = links.flatMap(\.blendedNodes)
        var found: [NodeID] = []
        var seen: Set<NodeID> = []
        while let id = waiting.popLast() {
            guard seen.insert(id).inserted else { continue }
            if case .source? = self[id] { found.append(id) }
            waiting += inputs(of: id)
        }
        return found
    }
}
