internal import Synchronization

/// The state of a source's frames: none yet, present, or gone.
enum Presence: UInt8, Sendable, Hashable {
    /// The source has no frame to show yet.
    case none
    /// The source delivers frames, or has ended as a file does.
    case present
    /// The source has delivered frames, and is silent or lost.
    case gone
}

extension Presence: AtomicRepresentable {}

extension Graph {
    /// Returns the graph to draw, with each layer's absence policy applied where its source is missing.
    ///
    /// - Parameters:
    ///   - presence: The presence of the sources, keyed by node. A source that is not listed is present.
    ///   - placeholders: The placeholder of each source, keyed by node.
    /// - Returns: The graph to draw.
    func resolvingAbsence(_ presence: [NodeID: Presence], _ placeholders: [NodeID: Placeholder]) -> Graph {
        var resolved = self
        for id in order {
            guard case .compositor(var composition)? = self[id] else { continue }
            for index in composition.layers.indices {
                resolve(&composition.layers, index, presence: presence, placeholders)
            }
            // Visited in reverse order, so that an insertion does not move the layers still to visit.
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
            // The layer keeps its source's last frame; the planner leaves out a layer whose source has delivered no
            // frame.
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

    /// The source at the start of a chain of filters and blends; nil when the chain starts with a compositor or is not
    /// connected.
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

    /// The main source of a picture: the source of its bottom layer, followed through nested compositors.
    ///
    /// - Parameter root: The node of the picture. If the node leads to no source, the first sink that leads to a source
    ///   decides.
    /// - Returns: The source's node; nil when no sink leads to a source either.
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
    /// Returns a layer that shows the whole badge in this layer's rectangle, whatever part of its own picture this
    /// layer shows.
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
    /// This placement for an entire picture: stretched, without a crop and a rotation.
    fileprivate var whole: Placement {
        var whole = self
        (whole.fit, whole.crop, whole.orientation) = (.stretch, nil, .identity)
        return whole
    }
}

extension Keyframe {
    /// This keyframe for an entire picture: of the look, only the opacity stays.
    fileprivate var whole: Keyframe {
        Keyframe(
            at: time, placement: placement?.whole, opacity: opacity ?? look?.opacity, easing: easing)
    }
}
