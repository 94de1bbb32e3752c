internal import PipEffects
internal import PipFrames

extension Graph {
    /// Merges two changed copies of the same base graph: a three-way merge.
    ///
    /// A change that only one copy has is taken. If both copies have changed the same property, such as a filter's
    /// parameters or a layer's place, `own` wins. A node that one copy has removed stays removed, even if the other
    /// copy has changed the node.
    ///
    /// - Parameters:
    ///   - base: The graph that both copies were made from.
    ///   - own: The copy whose changes win.
    ///   - other: The copy with the changes that were made meanwhile.
    /// - Returns: The graph with the changes of both copies.
    static func merged(base: Graph, own: Graph, other: Graph) -> Graph {
        var result = other
        for id in own.order {
            guard let record = own[id] else { continue }
            switch (base[id], other[id]) {
            case (nil, _): result.set(record, for: id)
            case (_, nil): continue
            case (let before?, let after?): result.set(Record.merged(base: before, own: record, other: after), for: id)
            }
        }
        result.remove(Set(base.order.filter { own[$0] == nil }))
        return result
    }

    /// Reverts the changes between two graphs, but keeps later changes of other properties.
    ///
    /// New nodes stay, so that their handles can be used again, but no older node takes frames from them. New sinks are
    /// removed, and removed sinks are not restored.
    ///
    /// - Parameters:
    ///   - attempted: The graph with the changes to revert.
    ///   - drawn: The graph before these changes.
    package mutating func undo(_ attempted: Graph, to drawn: Graph) {
        var kept = drawn
        for id in drawn.sinks where attempted[id] == nil { kept.remove(id) }
        for id in attempted.order where drawn[id] == nil && attempted.sink(id) == nil {
            if let record = attempted[id] { kept.set(record, for: id) }
        }
        self = Graph.merged(base: attempted, own: kept, other: self)
    }
}

extension Graph.Record {
    fileprivate static func merged(base: Self, own: Self, other: Self) -> Self {
        switch (base, own, other) {
        case (.source(let base), .source(let own), .source(let other)): .source(base.merging(own, other))
        case (.filter(let base), .filter(let own), .filter(let other)):
            .filter(FilterRecord.merged(base: base, own: own, other: other))
        case (.compositor(let base), .compositor(let own), .compositor(let other)):
            .compositor(Composition.merged(base: base, own: own, other: other))
        case (.blend(let baseMode, let base), .blend(let ownMode, let own), .blend(let otherMode, let other)):
            .blend(
                choose(baseMode, ownMode, otherMode),
                BlendInputs(
                    base: choose(base.base, own.base, other.base),
                    overlay: choose(base.overlay, own.overlay, other.overlay),
                    mask: choose(base.mask, own.mask, other.mask)))
        case (.sink(let base), .sink(let own), .sink(var other)):
            {
                other.input = choose(base.input, own.input, other.input)
                other.isPaused = choose(base.isPaused, own.isPaused, other.isPaused)
                return .sink(other)
            }()
        default: own
        }
    }
}

extension FilterRecord {
    fileprivate static func merged(base: Self, own: Self, other: Self) -> Self {
        var result = own.revision != base.revision ? own : other
        result.input = choose(base.input, own.input, other.input)
        result.isEssential = choose(base.isEssential, own.isEssential, other.isEssential)
        result.isMuted = choose(base.isMuted, own.isMuted, other.isMuted)
        result.period = choose(base.period, own.period, other.period)
        return result
    }
}

extension Composition {
    fileprivate static func merged(base: Self, own: Self, other: Self) -> Self {
        var result = other
        result.canvas = choose(base.canvas, own.canvas, other.canvas)
        result.background = choose(base.background, own.background, other.background)
        result.light = choose(base.light, own.light, other.light)
        let before = Dictionary(base.layers.map { ($0.id, $0) }) { first, _ in first }
        let kept = Set(own.layers.map(\.id))
        result.layers.removeAll { before[$0.id] != nil && !kept.contains($0.id) }
        for layer in own.layers {
            if let index = result.layers.firstIndex(where: { $0.id == layer.id }) {
                guard let old = before[layer.id] else { continue }
                result.layers[index] = .merged(base: old, own: layer, other: result.layers[index])
            } else if before[layer.id] == nil {
                // Insert the layer below the next layer of `own` that is still present, or else on top.
                let above = own.layers.drop { $0.id != layer.id }.dropFirst()
                let place = above.lazy.compactMap { next in result.layers.firstIndex { $0.id == next.id } }.first
                result.layers.insert(layer, at: place ?? result.layers.count)
            }
        }
        return result
    }
}

extension LayerRecord {
    fileprivate static func merged(base: Self, own: Self, other: Self) -> Self {
        var result = other
        result.input = choose(base.input, own.input, other.input)
        result.placement = choose(base.placement, own.placement, other.placement)
        result.look = choose(base.look, own.look, other.look)
        result.blend = choose(base.blend, own.blend, other.blend)
        result.z = choose(base.z, own.z, other.z)
        result.absence = choose(base.absence, own.absence, other.absence)
        result.isEnabled = choose(base.isEnabled, own.isEnabled, other.isEnabled)
        result.keyframes = choose(base.keyframes, own.keyframes, other.keyframes)
        return result
    }
}

/// The value that differs from `base`; `own` when both values differ from `base`.
private func choose<Value: Equatable>(_ base: Value, _ own: Value, _ other: Value) -> Value {
    own == base ? other : own
}
