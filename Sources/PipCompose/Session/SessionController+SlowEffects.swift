extension SessionController {
    /// Switches off the effect that most probably makes frames take far too long: of those that may be left out the one that was
    /// changed last, else the one that draws most.
    ///
    /// When it was not that one, the next frames tell, and the next effect follows.
    func switchOffSlowEffect(of wiring: Wiring, after work: Duration) async {
        await hold()
        defer { release() }
        let graph = wiring.graph
        guard let id = slowEffect(of: graph) else { return }
        // The change is drawn as any other of the graph is.
        wiring.edit { (graph: inout Graph) throws(Never) in
            guard case .filter(var filter)? = graph[id] else { return }
            filter.isMuted = true
            graph.set(.filter(filter), for: id)
        }
        events.yield(.effectSwitchedOff(name: graph.label(of: id), frameTime: work))
    }

    /// The effect that is switched off first; nil without any.
    private func slowEffect(of graph: Graph) -> NodeID? {
        let filters = graph.order.compactMap { id -> (id: NodeID, rank: [Int])? in
            guard case .filter(let filter)? = graph[id], !filter.isMuted, filter.input != nil else { return nil }
            let isOptional = !filter.isEssential && !type(of: filter.effect).isStructural
            return (id, [isOptional ? 1 : 0, filterEdits[id]?.number ?? 0, weight(of: id, in: graph)])
        }
        return filters.max { $0.rank.lexicographicallyPrecedes($1.rank) }?.id
    }

    /// Pixels that are shaded for one filter, and not without it.
    private func weight(of id: NodeID, in graph: Graph) -> Int {
        guard case .filter(var filter)? = graph[id] else { return 0 }
        var without = graph
        filter.isMuted = true
        without.set(.filter(filter), for: id)
        do throws(SessionError) {
            return try plan(graph).cost.pixels - plan(without).cost.pixels
        } catch {
            return 0
        }
    }

    /// Takes note of which filters have changed since the graph was drawn last.
    func noteEdits(of graph: Graph) {
        filterEditCount += 1
        var edits: [NodeID: FilterEdit] = [:]
        for id in graph.order {
            guard case .filter(let filter)? = graph[id] else { continue }
            let operation = filter.effect.referenceOperation
            let known = filterEdits[id]
            let isKnown = known?.operation == operation && known?.isMuted == filter.isMuted
            edits[id] =
                isKnown
                ? known : FilterEdit(operation: operation, isMuted: filter.isMuted, number: filterEditCount)
        }
        filterEdits = edits
    }
}

/// What a filter drew when the graph was drawn last, and since which change of the graph.
struct FilterEdit {
    var operation: EffectOperation
    var isMuted: Bool
    var number: Int
}
