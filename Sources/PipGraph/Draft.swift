internal import PipFrames
internal import Synchronization

/// A set of changes that become the graph's at one moment, or not at all.
///
/// While ``edit(_:)`` runs, all handles that are used on its task read and change the draft; everybody else sees the
/// graph as it was. ``commit(_:)`` makes the changes the graph's by compare-and-swap. A draft that is not committed
/// leaves no trace: handles that it used are as they were before.
package final class Draft: Sendable {
    @TaskLocal static var current: Draft?

    private struct State {
        /// The wirings that the changes concern.
        var wirings: [Wiring] = []
        /// Their graphs when the changes began.
        var base = Graph()
        /// With the changes.
        var graph = Graph()
        var isOpen = true
        /// The edits that run, each within the one before.
        var depth = 0

        /// Makes the draft concern a wiring.
        mutating func take(_ wiring: (root: Wiring, graph: Graph)) {
            guard !wirings.contains(where: { $0 === wiring.root }) else { return }
            wirings.append(wiring.root)
            // A wiring that is known may have been joined to another one meanwhile.
            let known = base.order + graph.order
            for id in wiring.graph.order where !known.contains(id) {
                guard let record = wiring.graph[id] else { continue }
                base.set(record, for: id)
                graph.set(record, for: id)
            }
        }
    }

    private let state: Mutex<State>

    /// A draft of the graph behind a wiring.
    package init(of wiring: Wiring) {
        let graph = wiring.snapshot.graph
        state = Mutex(State(wirings: [wiring], base: graph, graph: graph))
    }

    /// Makes changes; within the closure, and only on its task, handles read and change the draft.
    ///
    /// It may be called within itself. What a closure has changed before it throws is left out.
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

    /// As ``edit(_:)``, with a closure that waits.
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
        // What is left out is let go of once the lock is: the graphs' values may be handles.
        _ = state.withLock { state -> State in
            let made = state
            if let before { state = before }
            state.depth = made.depth - 1
            state.isOpen = state.depth > 0
            return made
        }
    }

    /// The draft that is made on this task, where it concerns a wiring; nil outside of one.
    package static func joined(by wiring: Wiring) -> Draft? {
        guard let draft = current, draft.isOpen else { return nil }
        let root = wiring.root
        return draft.state.withLock { $0.wirings.contains { $0.root === root } } ? draft : nil
    }

    /// The graph with the changes, and with those that others have made to it meanwhile.
    ///
    /// Where both have changed the same fact, the draft wins.
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

    /// A graph that may replace those of some wirings, as long as they have these versions.
    package struct Proposal: Sendable {
        package let graph: Graph
        fileprivate let versions: [ObjectIdentifier: Int]
    }

    /// Makes a proposal the graph of all wirings that the draft concerns, which become one; then tells its observers.
    ///
    /// - Returns: False when one of the graphs has changed since the proposal was made; then nothing has changed.
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

    /// The sessions that the changes concern.
    package var owners: Set<ObjectIdentifier> {
        Set(state.withLock { $0.wirings }.compactMap { wiring in wiring.withContents { $0.owner } })
    }

    /// The graphs that the changes concern, as they were when the changes began.
    package var base: Graph { state.withLock { $0.base } }

    // MARK: For the handles

    /// True when changes are still made.
    var isOpen: Bool { state.withLock { $0.isOpen } }

    /// The graph of a wiring as the draft has it; nil once the changes are made.
    func graph(of wiring: Wiring) -> Graph? {
        let concerned = root(of: wiring)
        return state.withLock { state -> Graph? in
            guard state.isOpen else { return nil }
            state.take(concerned)
            return state.graph
        }
    }

    /// Changes the draft; nil once its changes are made.
    func edit<R: Sendable, E: Error>(_ wiring: Wiring, _ change: (inout Graph) throws(E) -> R) throws(E) -> R? {
        let concerned = root(of: wiring)
        let outcome = state.withLock { state -> (Result<R, E>, Graph)? in
            guard state.isOpen else { return nil }
            state.take(concerned)
            let before = state.graph
            do throws(E) { return (.success(try change(&state.graph)), before) } catch {
                return (.failure(error), before)
            }
        }
        return try outcome?.0.get()
    }

    /// Makes two wirings one in the draft; false once its changes are made.
    func join(_ first: Wiring, _ second: Wiring) -> Bool { graph(of: first) != nil && graph(of: second) != nil }

    private func root(of wiring: Wiring) -> (Wiring, Graph) {
        let root = wiring.root
        return (root, root.snapshot.graph)
    }
}
