internal import Synchronization

/// The presence of a source's frames.
enum Presence: UInt8, Sendable, Hashable {
    /// No frame has come yet.
    case none
    /// Frames come.
    case present
    /// Frames came, but no more.
    case gone
}

extension Presence: AtomicRepresentable {}

extension Graph {
    /// The graph with every layer's policy applied to sources that are missing: what to draw now.
    ///
    /// - Parameters:
    ///   - presence: The sources' presence. A source that is not listed is present.
    ///   - placeholders: The placeholder of each source.
    /// - Returns: The graph that is drawn.
    func resolvingAbsence(_ presence: [NodeID: Presence], _ placeholders: [NodeID: Placeholder]) -> Graph {
        var resolved = self
        for id in order {
            guard case .compositor(var composition)? = self[id] else { continue }
            for index in composition.layers.indices {
                resolve(&composition.layers, index, presence: presence, placeholders)
            }
            // From the last one on: those before keep their places.
            for index in composition.layers.indices.reversed() where composition.layers[index].absence == .freeze {
                guard let source = source(of: composition.layers[index].input), presence[source] == .gone,
                    let badge = placeholders[source]?.badge
                else { continue }
                composition.layers.insert(composition.layers[index].badge(badge), at: index + 1)
            }
            resolved.set(.compositor(composition), for: id)
        }
        return resolved
    }

    private func resolve(
        _ layers: inout [LayerRecord], _ index: Int, presence: [NodeID: Presence], _ placeholders: [NodeID: Placeholder]
    ) {
        guard let source = source(of: layers[index].input), let state = presence[source], state != .present else {
            return
        }
        switch layers[index].absence {
        case .hold, .freeze:
            // Without a frame there is nothing to hold; the planner leaves it out.
            return
        case .hide: layers[index].isEnabled = false
        case .slate: layers[index].input = placeholders[source]?.slate ?? source
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

extension LayerRecord {
    /// A layer with a badge, all of it where this one is, whatever part of its picture that shows.
    fileprivate func badge(_ node: NodeID) -> LayerRecord {
        var badge = LayerRecord(node, id: node)
        (badge.z, badge.isEnabled, badge.motion) = (z, isEnabled, motion)
        badge.look.opacity = look.opacity
        badge.placement = placement.whole
        if let keyframes {
            badge.keyframes = Keyframes(keyframes.frames.map(\.whole), loops: keyframes.loops)
        }
        return badge
    }
}

extension Placement {
    /// The same place for the whole of a picture as it is.
    fileprivate var whole: Placement {
        var whole = self
        (whole.fit, whole.crop, whole.orientation) = (.stretch, nil, .identity)
        return whole
    }
}

extension Keyframe {
    /// The same for the whole of a picture, without what a layer looks like.
    fileprivate var whole: Keyframe {
        Keyframe(
            at: time, placement: placement?.whole, opacity: opacity ?? look?.opacity, easing: easing)
    }
}
