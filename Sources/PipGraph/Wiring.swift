internal import Synchronization

/// The graph behind a set of nodes that are connected, shared by their handles.
///
/// Handles of nodes hold the wiring; the wiring holds only values. Connecting nodes of two wirings joins them: one takes in the other's
/// graph, and the other refers to it from then on. Thread-safe.
public final class Wiring: Sendable {
    private enum State {
        case graph(Graph, version: Int, observers: [Int: @Sendable () -> Void])
        /// Joined: another wiring holds the graph.
        case joined(Wiring)
    }
    private let state = Mutex(State.graph(Graph(), version: 0, observers: [:]))

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
    package func observe(_ observer: @escaping @Sendable () -> Void) -> Int {
        let token = root.state.withLock { state -> Int? in
            guard case .graph(let graph, let version, var observers) = state else { return nil }
            let token = (observers.keys.max() ?? 0) + 1
            observers[token] = observer
            state = .graph(graph, version: version, observers: observers)
            return token
        }
        return token ?? observe(observer)
    }

    package func removeObserver(_ token: Int) {
        root.state.withLock { state in
            guard case .graph(let graph, let version, var observers) = state else { return }
            observers[token] = nil
            state = .graph(graph, version: version, observers: observers)
        }
    }

    /// Makes this wiring and another one the same.
    package func join(_ other: Wiring) {
        let (first, second) = (root, other.root)
        if first === second { return }
        let taken = second.state.withLock { state -> Graph? in
            guard case .graph(let graph, _, let observers) = state, observers.isEmpty else { return nil }
            state = .joined(first)
            return graph
        }
        if let taken {
            first.edit { (graph: inout Graph) throws(Never) in graph.merge(taken) }
        } else if first.state.withLock({ if case .graph(_, _, let observers) = $0 { observers.isEmpty } else { true } })
        {
            // The other one is being watched by a session: join it instead.
            second.join(first)
        }
    }
}
