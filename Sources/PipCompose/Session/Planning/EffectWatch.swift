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
    /// - Parameters:
    ///   - graph: The drawn graph.
    ///   - pixels: Returns the number of pixels that drawing a graph shades.
    /// - Returns: The filter's node; nil without a connected filter that is not muted.
    func slowest(of graph: Graph, pixels: (Graph) -> Int) -> NodeID? {
        let filters = graph.order.compactMap { id -> (id: NodeID, rank: [Int])? in
            guard case .filter(let filter)? = graph[id], !filter.isMuted, filter.input != nil else { return nil }
            let isOptional = !filter.isEssential && !type(of: filter.effect).isStructural
            var without = graph
            var muted = filter
            muted.isMuted = true
            without.set(.filter(muted), for: id)
            return (id, [isOptional ? 1 : 0, edits[id]?.number ?? 0, pixels(graph) - pixels(without)])
        }
        return filters.max { $0.rank.lexicographicallyPrecedes($1.rank) }?.id
    }
}
