/// Chooses the filter to switch off when frames take far too long.
struct EffectWatch {
    /// The operation of a filter in the drawn graph, and the ID of the graph change that introduced the operation, or
    /// muted or unmuted the filter.
    private struct Edit {
        var operation: EffectOperation
        var isMuted: Bool
        var number: Int
    }

    private var edits: [NodeID: Edit] = [:]
    private var count = 0

    /// Records the filters that have changed since the last call.
    mutating func note(_ graph: Graph) {
        count += 1
        var next: [NodeID: Edit] = [:]
        for id in graph.order {
            guard case .filter(let filter)? = graph[id] else { continue }
            let operation = filter.effect.referenceOperation
            let known = edits[id]
            let isKnown = known?.operation == operation && known?.isMuted == filter.isMuted
            next[id] = isKnown ? known : Edit(operation: operation, isMuted: filter.isMuted, number: count)
        }
        edits = next
    }

    /// The filter that most probably makes frames slow.
    ///
    /// Filters are ranked by three criteria, in this order: optional before essential, changed later, and more pixels
    /// shaded.
    ///
    /// - Parameter facts: The facts that the drawn graph is planned from.
    /// - Returns: The filter's node; nil without a connected filter that is not muted.
    func slowest(in facts: PlanningState) -> NodeID? {
        let graph = facts.graph
        let pixels = facts.drawnPixels
        let filters = graph.order.compactMap { id -> (id: NodeID, rank: [Int])? in
            guard case .filter(let filter)? = graph[id], !filter.isMuted, filter.input != nil else { return nil }
            let isOptional = !filter.isEssential && !type(of: filter.effect).isStructural
            var without = facts
            var muted = filter
            muted.isMuted = true
            without.graph.set(.filter(muted), for: id)
            return (id, [isOptional ? 1 : 0, edits[id]?.number ?? 0, pixels - without.drawnPixels])
        }
        return filters.max { $0.rank.lexicographicallyPrecedes($1.rank) }?.id
    }
}

extension PlanningState {
    /// The number of pixels that drawing the graph shades; 0 when the graph cannot be drawn.
    fileprivate var drawnPixels: Int {
        let cost = (try? plan())?.cost
        return (cost?.pixels ?? 0) + (cost?.rowPixels ?? 0)
    }
}
