/// The duration, easing and transition with which a call of `configure` animates layers.
struct MotionStyle: Sendable {
    var duration: Duration
    var easing: Easing
    var transition: Transition
}

/// The keyframes of a session's layers, and the motions that have not ended.
///
/// The session carries this value from one graph to the next; a ``MotionPlayer`` plays it on the render thread.
struct MotionSchedule: Sendable {
    /// A property of a layer that is animated independently of the layer's other properties.
    enum Aspect: Sendable, Hashable, CaseIterable {
        case place, look
        /// The layer's appearing and disappearing.
        case visibility
        /// The layer's position in the drawing order.
        case order
    }

    struct Key: Sendable, Hashable {
        var layer: NodeID
        var aspect: Aspect
    }

    /// The animation of one property from one state to another.
    struct Track: Sendable {
        /// The track's ID.
        ///
        /// Later tracks have larger IDs.
        let number: Int
        let style: MotionStyle
        /// The configuration at the start of the animation: that of the layer itself, or of the layer that showed the
        /// same picture before.
        let from: LayerRecord
        /// The index of `from` in its compositor.
        let index: Int
    }

    /// A layer that was removed from the graph, and is drawn until its transition ends.
    struct Leaving: Sendable {
        let compositor: NodeID
        let record: LayerRecord
        /// The layers that came after the removed layer in its compositor.
        let followers: [NodeID]
        /// The nodes that the layer's picture is made from.
        let nodes: [(id: NodeID, record: Graph.Record)]
    }

    private(set) var tracks: [Key: Track] = [:]
    /// The layers with keyframes, each with the ID of its keyframes' present version.
    private(set) var keyed: [NodeID: Int] = [:]
    private(set) var leaving: [Leaving] = []
    private var count = 0

    /// True when there is no motion to play, and no layer has keyframes.
    var isEmpty: Bool { tracks.isEmpty && keyed.isEmpty }

    /// Forgets the tracks whose IDs are in `ended`.
    ///
    /// Keyframes stay, because their last state is drawn.
    mutating func forget(_ ended: Set<Int>) {
        tracks = tracks.filter { !ended.contains($0.value.number) }
        leaving = leaving.filter { tracks[Key(layer: $0.record.id, aspect: .visibility)] != nil }
    }

    /// Returns the graph with the leaving layers, which is drawn instead of `graph`.
    func addingLeavingLayers(to graph: Graph) -> Graph {
        var drawn = graph
        for layer in leaving {
            guard case .compositor(var composition)? = drawn[layer.compositor] else { continue }
            let index = composition.layers.firstIndex { layer.followers.contains($0.id) }
            composition.layers.insert(layer.record, at: index ?? composition.layers.count)
            drawn.set(.compositor(composition), for: layer.compositor)
            for node in layer.nodes where drawn[node.id] == nil { drawn.set(node.record, for: node.id) }
        }
        return drawn
    }

    // MARK: Motions between two graphs

    /// Adds motions for the changes of layers between two graphs.
    ///
    /// A change without a style is shown at once, and ends the motion of that property. All other motions go on.
    ///
    /// - Parameters:
    ///   - old: The graph before; nil for the first graph.
    ///   - new: The graph with the changes.
    ///   - style: The duration, easing and transition of the motions; nil shows the changes at once.
    mutating func change(from old: Graph?, to new: Graph, _ style: MotionStyle?) {
        for id in new.order {
            guard case .compositor(let after)? = new[id] else { continue }
            for layer in after.layers { noteKeyframes(of: layer, before: old?.layer(layer.id, of: id)) }
            guard case .compositor(let before)? = old?[id] else { continue }
            for layer in after.layers { change(layer, before.layers, after.layers, style) }
            for (index, layer) in before.layers.enumerated() where !after.layers.contains(where: { $0.id == layer.id })
            {
                keyed[layer.id] = nil
                let isShown = layer.isEnabled || tracks[Key(layer: layer.id, aspect: .visibility)] != nil
                guard let old, let style, style.transition != .cut, isShown else { continue }
                let nodes = old.reachable(from: [layer.input])
                leaving.append(
                    Leaving(
                        compositor: id, record: layer, followers: before.layers.dropFirst(index + 1).map(\.id),
                        nodes: old.order.filter(nodes.contains).compactMap { node in old[node].map { (node, $0) } }))
                add(.visibility, of: layer.id, from: layer, index, style)
            }
        }
        let leavers = Set(leaving.map(\.record.id))
        leaving.removeAll { new[$0.compositor] == nil }
        let layers = new.layers.union(leavers)
        tracks = tracks.filter { layers.contains($0.key.layer) }
        keyed = keyed.filter { layers.contains($0.key) }
    }

    private mutating func noteKeyframes(of layer: LayerRecord, before: LayerRecord?) {
        guard layer.keyframes != nil else { return keyed[layer.id] = nil }
        if keyed[layer.id] == nil || layer.keyframes != before?.keyframes { keyed[layer.id] = nextNumber() }
    }

    private mutating func change(
        _ layer: LayerRecord, _ before: [LayerRecord], _ after: [LayerRecord], _ style: MotionStyle?
    ) {
        guard let index = before.firstIndex(where: { $0.id == layer.id }) else {
            if layer.isEnabled { add(.visibility, of: layer.id, from: layer.switchedOff, 0, style) }
            return
        }
        let old = before[index]
        defer { if old.isEnabled != layer.isEnabled { add(.visibility, of: layer.id, from: old, index, style) } }
        // A layer that was not shown appears directly at its new place.
        let isShown = old.isEnabled || tracks[Key(layer: layer.id, aspect: .visibility)] != nil
        let style = isShown ? style : nil
        if old.input != layer.input {
            // If another layer showed this picture before and does not any more, the motion starts from that layer's
            // place, look and order.
            let origin = before.firstIndex { other in
                other.input == layer.input && other.isEnabled
                    && after.first { $0.id == other.id }?.input != layer.input
            }
            for aspect in [Aspect.place, .look, .order] {
                guard let origin else {
                    tracks[Key(layer: layer.id, aspect: aspect)] = nil
                    continue
                }
                add(aspect, of: layer.id, from: before[origin], origin, style)
            }
        } else {
            if old.placement != layer.placement { add(.place, of: layer.id, from: old, index, style) }
            if old.look != layer.look { add(.look, of: layer.id, from: old, index, style) }
            if old.z != layer.z { add(.order, of: layer.id, from: old, index, style) }
        }
    }

    /// Starts animating a property, or sets it at once without a style, a duration or a transition.
    private mutating func add(
        _ aspect: Aspect, of layer: NodeID, from record: LayerRecord, _ index: Int, _ style: MotionStyle?
    ) {
        let key = Key(layer: layer, aspect: aspect)
        guard let style, style.duration > .zero, aspect != .visibility || style.transition != .cut else {
            return tracks[key] = nil
        }
        tracks[key] = Track(number: nextNumber(), style: style, from: record, index: index)
    }

    private mutating func nextNumber() -> Int {
        count += 1
        return count
    }
}

extension LayerRecord {
    fileprivate var switchedOff: LayerRecord {
        var record = self
        record.isEnabled = false
        return record
    }
}

extension Graph {
    /// A layer of a compositor; nil when the compositor or the layer does not exist.
    fileprivate func layer(_ id: NodeID, of compositor: NodeID) -> LayerRecord? {
        guard case .compositor(let composition)? = self[compositor] else { return nil }
        return composition.layers.first { $0.id == id }
    }

    /// The layers of all compositors.
    fileprivate var layers: Set<NodeID> {
        var layers: Set<NodeID> = []
        for id in order {
            if case .compositor(let composition)? = self[id] { layers.formUnion(composition.layers.map(\.id)) }
        }
        return layers
    }
}
