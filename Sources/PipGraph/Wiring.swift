internal import Synchronization

/// The graph behind a set of nodes that are connected, shared by their handles.
///
/// Handles of nodes hold the wiring; the wiring holds only values. Connecting nodes of two wirings joins them: one takes in the other's
/// graph, and the other refers to it from then on. Thread-safe.
public final class Wiring: Sendable {
    private enum State {
        case graph(Graph, version: Int, observers: [ObserverID: @Sendable () -> Void])
        /// Joined: another wiring holds the graph.
        case joined(Wiring)
    }
    private let state = Mutex(State.graph(Graph(), version: 0, observers: [:]))

    /// Identifies an observer; equal only to itself, so that observers of two wirings can be told apart once these are joined.
    package typealias ObserverID = NodeID

    package init() {}

    /// The wiring that holds the graph now.
    private var root: Wiring {
        var current = self
        while let next = current.state.withLock({ if case .joined(let next) = $0 { next } else { nil } }) {
            current = next
        }
        return current
    }

    /// The graph as it is now.
    public var graph: Graph { snapshot.graph }

    /// The graph and a number that grows with every change.
    package var snapshot: (graph: Graph, version: Int) {
        let found = root.state.withLock { state -> (Graph, Int)? in
            if case .graph(let graph, let version, _) = state { (graph, version) } else { nil }
        }
        // Joined in between: ask again.
        return found ?? self.snapshot
    }

    /// Changes the graph, then tells the observers.
    package func edit<E: Error>(_ change: (inout Graph) throws(E) -> Void) throws(E) {
        let outcome = root.state.withLock { state -> Result<[@Sendable () -> Void], E>? in
            guard case .graph(var graph, let version, let observers) = state else { return nil }
            do throws(E) { try change(&graph) } catch { return .failure(error) }
            state = .graph(graph, version: version + 1, observers: observers)
            return .success(Array(observers.values))
        }
        switch outcome {
        case .success(let observers)?: for observer in observers { observer() }
        case .failure(let error)?: throw error
        case nil: try edit(change)
        }
    }

    /// Puts back an earlier graph.
    package func restore(_ graph: Graph) {
        edit { (current: inout Graph) throws(Never) in current = graph }
    }

    /// Calls a function after every change, on the thread that made it, until ``removeObserver(_:)``.
    package func observe(_ observer: @escaping @Sendable () -> Void) -> ObserverID {
        let id = ObserverID()
        setObserver(observer, for: id)
        return id
    }

    /// Calls an observer no more.
    package func removeObserver(_ id: ObserverID) { setObserver(nil, for: id) }

    private func setObserver(_ observer: (@Sendable () -> Void)?, for id: ObserverID) {
        let isSet = root.state.withLock { state in
            guard case .graph(let graph, let version, var observers) = state else { return false }
            observers[id] = observer
            state = .graph(graph, version: version, observers: observers)
            return true
        }
        // Joined in between: it is known there.
        if !isSet { setObserver(observer, for: id) }
    }

    /// Makes this wiring and another one the same: the graphs become one at one moment, and the observers of both watch it.
    package func join(_ other: Wiring) {
        while true {
            let (first, second) = (root, other.root)
            if first === second { return }
            // Every thread locks two wirings in the same order, so that none waits for another in a circle.
            let isInOrder = ObjectIdentifier(first) < ObjectIdentifier(second)
            let (outer, inner) = isInOrder ? (first, second) : (second, first)
            let observers = outer.state.withLock { outerState in
                inner.state.withLock { innerState in
                    isInOrder
                        ? Self.merge(&innerState, into: &outerState, of: first)
                        : Self.merge(&outerState, into: &innerState, of: first)
                }
            }
            // Nil when one of them was joined to a third in between.
            guard let observers else { continue }
            for observer in observers { observer() }
            return
        }
    }

    /// Puts all that one state holds into another, which is `wiring`'s.
    ///
    /// Gives who is to be told; nil when one of them holds no graph any more.
    private static func merge(
        _ source: inout State, into target: inout State, of wiring: Wiring
    ) -> [@Sendable () -> Void]? {
        guard case .graph(let taken, let takenVersion, let takenObservers) = source,
            case .graph(var graph, let version, var observers) = target
        else { return nil }
        graph.merge(taken)
        observers.merge(takenObservers) { own, _ in own }
        target = .graph(graph, version: max(version, takenVersion) + 1, observers: observers)
        source = .joined(wiring)
        return Array(observers.values)
    }
}
