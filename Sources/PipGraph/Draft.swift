internal import PipFrames
internal import Synchronization

/// A set of changes to a graph that are committed together, or not at all.
///
/// While ``edit(_:)`` runs, all handles used in its task, and in tasks started there, read and change the draft; other
/// tasks, including detached ones, see the graph without the draft. ``commit(_:)`` replaces the graph by a ``Proposal``
/// made from the draft, if the graph has not changed since. A draft that is not committed changes nothing: the handles
/// that its closure used show the former graph again.
package final class Draft: Sendable {
    @TaskLocal static var current: Draft?

    private struct State {
        /// The wirings that the draft changes or reads.
        var wirings: [Wiring] = []
        /// The graphs of the wirings before the draft's changes.
        var base = Graph()
        /// The graphs of the wirings with the draft's changes.
        var graph = Graph()
        var isOpen = true
        /// The number of nested edits that are running.
        var depth = 0

        /// Adds a wiring and its graph to the draft; does nothing for a wiring that the draft has.
        mutating func take(_ wiring: (root: Wiring, graph: Graph)) {
            guard !wirings.contains(where: { $0 === wiring.root }) else { return }
            wirings.append(wiring.root)
            // Another task may have joined this wiring to a wiring of the draft: keep the draft's records of the nodes.
            let known = base.order + graph.order
            for id in wiring.graph.order where !known.contains(id) {
                guard let record = wiring.graph[id] else { continue }
                base.set(record, for: id)
                graph.set(record, for: id)
            }
        }
    }

    private let state: Mutex<State>

    /// Creates an empty draft for the graph of a wiring.
    package init(of wiring: Wiring) {
        let graph = wiring.snapshot.graph
        state = Mutex(State(wirings: [wiring], base: graph, graph: graph))
    }

    /// Runs a closure whose changes of handles go into the draft.
    ///
    /// Handles read and change the draft only while the closure runs.
    ///
    /// Calls may be nested. The changes of a closure that throws are discarded.
    package func edit<R>(_ change: () throws -> R) throws -> R {
        let before = begin()
        do {
            let result = try Draft.$current.withValue(self) { try change() }
            end()
            return result
        } catch {
            end(backTo: before)
            throw error
        }
    }

    /// Runs an async closure whose changes of handles go into the draft, as ``edit(_:)`` does.
    package func edit<R>(
        isolation: isolated (any Actor)? = #isolation, _ change: () async throws -> R
    ) async throws -> R {
        let before = begin()
        do {
            let result = try await Draft.$current.withValue(self) { try await change() }
            end()
            return result
        } catch {
            end(backTo: before)
            throw error
        }
    }

    private func begin() -> State {
        state.withLock { state in
            state.depth += 1
            return state
        }
    }

    private func end(backTo before: State? = nil) {
        // The discarded graph is released after the lock, because its values may be handles whose release locks a
        // wiring.
        _ = state.withLock { state -> State in
            let made = state
            if let before { state = before }
            state.depth = made.depth - 1
            state.isOpen = state.depth > 0
            return made
        }
    }

    /// The draft whose edit runs in this task, if the draft contains the wiring; nil otherwise.
    package static func joined(by wiring: Wiring) -> Draft? {
        guard let draft = current, draft.isOpen else { return nil }
        let root = wiring.root
        return draft.state.withLock { $0.wirings.contains { $0.root === root } } ? draft : nil
    }

    /// The graph with the draft's changes, and with the changes that other tasks have made since the draft began.
    ///
    /// The draft's value wins for a property that both the draft and another task have changed.
    package var rebased: Proposal {
        let (wirings, base, own) = state.withLock { ($0.wirings, $0.base, $0.graph) }
        var now = Graph()
        var versions: [ObjectIdentifier: Int] = [:]
        for root in wirings.map(\.root) where versions[ObjectIdentifier(root)] == nil {
            let (graph, version) = root.snapshot
            now.merge(graph)
            versions[ObjectIdentifier(root)] = version
        }
        return Proposal(graph: Graph.merged(base: base, own: own, other: now), versions: versions)
    }

    /// A graph that replaces the graphs of the draft's wirings, if the wirings still have the recorded versions.
    package struct Proposal: Sendable {
        package let graph: Graph
        fileprivate let versions: [ObjectIdentifier: Int]
    }

    /// Replaces the graphs of all the draft's wirings by a proposal, joins the wirings, and calls their observers.
    ///
    /// - Returns: False, without a change, when one of the graphs has changed since the proposal was made, or the draft
    ///   has taken in another wiring.
    package func commit(_ proposal: Proposal) -> Bool {
        let wirings = state.withLock { $0.wirings }
        guard wirings.allSatisfy({ proposal.versions[ObjectIdentifier($0.root)] != nil }) else { return false }
        let versions = proposal.versions
        let observers = Wiring.merge(wirings, isCurrent: { versions[ObjectIdentifier($0)] == $1 }) {
            $0.graph = proposal.graph
        }
        for observer in observers ?? [] { observer() }
        return observers != nil
    }

    /// The sessions that have claimed the draft's wirings.
    package var owners: Set<ObjectIdentifier> {
        Set(state.withLock { $0.wirings }.compactMap { wiring in wiring.withContents { $0.owner } })
    }

    /// The graphs of the draft's wirings, without the draft's changes.
    package var base: Graph { state.withLock { $0.base } }

    // MARK: Functions for handles

    var isOpen: Bool { state.withLock { $0.isOpen } }

    /// The graph with the draft's changes, after adding the wiring to the draft; nil after the last edit has ended.
    func graph(of wiring: Wiring) -> Graph? {
        let concerned = root(of: wiring)
        return state.withLock { state -> Graph? in
            guard state.isOpen else { return nil }
            state.take(concerned)
            return state.graph
        }
    }

    /// Changes the draft's graph, after adding the wiring to the draft; nil after the last edit has ended.
    func edit<R: Sendable, E: Error>(_ wiring: Wiring, _ change: (inout Graph) throws(E) -> R) throws(E) -> R? {
        let concerned = root(of: wiring)
        let outcome = state.withLock { state -> (Result<R, E>, Graph)? in
            guard state.isOpen else { return nil }
            state.take(concerned)
            let before = state.graph
            do throws(E) { return (.success(try change(&state.graph)), before) } catch {
                let attempted = state.graph
                state.graph = before
                return (.failure(error), attempted)
            }
        }
        return try outcome?.0.get()
    }

    /// Adds two wirings to the draft, whose commit joins them; false after the last edit has ended.
    func join(_ first: Wiring, _ second: Wiring) -> Bool { graph(of: first) != nil && graph(of: second) != nil }

    private func root(of wiring: Wiring) -> (Wiring, Graph) {
        let root = wiring.root
        return (root, root.snapshot.graph)
    }
}
