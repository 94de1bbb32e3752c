/// The presence of a source's frames.
enum Presence: Sendable, Hashable {
    /// No frame has come yet.
    case none
    /// Frames come.
    case present
    /// Frames came, but no more.
    case gone
}

extension Graph {
    /// The graph with every layer's policy applied to sources that are missing: what to draw now.
    ///
    /// - Parameters:
    ///   - presence: Of each source; one that is not listed is present.
    ///   - slate: The node that stands for a missing source where its layer wants a slate.
    /// - Returns: The graph that is drawn.
    func resolvingAbsence(_ presence: [NodeID: Presence], slate: (NodeID) -> NodeID) -> Graph {
        var resolved = self
        for id in order {
            guard case .compositor(var composition)? = self[id] else { continue }
            for index in composition.layers.indices {
                resolve(&composition.layers, index, presence: presence, slate: slate)
            }
            resolved.set(.compositor(composition), for: id)
        }
        return resolved
    }

    private func resolve(
        _ layers: inout [LayerRecord], _ index: Int, presence: [NodeID: Presence], slate: (NodeID) -> NodeID
    ) {
        guard let source = source(of: layers[index].input), let state = presence[source], state != .present else {
            return
        }
        switch layers[index].absence {
        case .hold:
            // Without a frame there is nothing to hold; the planner leaves it out.
            return
        case .hide: layers[index].isEnabled = false
        case .slate: layers[index].input = slate(source)
        case .promote:
            let others = layers.indices.filter { other in
                other != index && layers[other].isEnabled
                    && self.source(of: layers[other].input).map { presence[$0] ?? .present } == .present
            }
            let isBottom = layers.indices.allSatisfy { (layers[index].z, index) <= (layers[$0].z, $0) }
            if isBottom, let other = others.min(by: { (layers[$0].z, $0) < (layers[$1].z, $1) }) {
                layers[index].input = layers[other].input
                layers[other].isEnabled = false
            } else {
                layers[index].isEnabled = false
            }
        }
    }

    /// The source at the start of a chain; nil for a compositor's picture.
    private func source(of id: NodeID) -> NodeID? {
        var current = id
        while true {
            switch self[current] {
            case .filter(let filter):
                guard let input = filter.input else { return nil }
                current = input
            case .blend(_, let inputs): current = inputs.base
            case .source: return current
            default: return nil
            }
        }
    }

    /// The source that a picture rests on: of a compositor's bottom layer, and so on down.
    ///
    /// - Parameter root: The node of the picture; where it leads to no source, the first sink that does counts.
    /// - Returns: The source's node; nil in a graph without sources.
    func mainSource(of root: NodeID?) -> NodeID? {
        for start in (root.map { [$0] } ?? []) + sinks {
            if let source = bottomSource(below: start) { return source }
        }
        return nil
    }

    private func bottomSource(below node: NodeID) -> NodeID? {
        var current = node
        while true {
            if case .source? = self[current] { return current }
            let next: NodeID?
            if case .compositor(let composition)? = self[current] {
                next = composition.drawingOrder.first?.input
            } else {
                next = inputs(of: current).first
            }
            guard let next else { return nil }
            current = next
        }
    }
}
