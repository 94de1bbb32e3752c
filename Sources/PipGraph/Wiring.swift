package import PipFrames
internal import Synchronization

/// The graph of a set of connected nodes, shared by their handles.
///
/// Connecting nodes of two wirings joins the wirings: the first takes over the second's graph, and the second refers to
/// the first from then on. Changes and joins inside a ``Draft`` belong to the draft until it is committed.
///
/// Thread: any.
package final class Wiring: Sendable {
    /// The contents of a wiring that has not joined another one.
    struct Contents {
        var graph = Graph()
        /// The version number, which grows with every change of the graph.
        var version = 0
        /// The nodes that have handles.
        var nodesWithHandles: Set<NodeID> = []
        var observers: [ObserverID: @Sendable () -> Void] = [:]
        /// The session that draws the graph; nil for none.
        var owner: ObjectIdentifier?
    }

    enum State {
        case contents(Contents)
        /// The contents have moved to another wiring.
        case joined(Wiring)
    }

    private let state: Mutex<State>

    /// The identity of an observer, which is unique among all wirings so that it stays valid after a join.
    package typealias ObserverID = NodeID

    /// Creates a wiring with one node, which has a handle.
    init(_ node: NodeID, _ record: Graph.Record) {
        var contents = Contents()
        contents.graph.set(record, for: node)
        contents.nodesWithHandles = [node]
        state = Mutex(.contents(contents))
    }

    /// The wiring that holds the contents at present, found through all joins.
    var root: Wiring {
        var current = self
        while let next = current.state.withLock({ if case .joined(let next) = $0 { next } else { nil } }) {
            current = next
        }
        return current
    }

    /// Reads or changes the contents under the lock; a function that throws changes nothing.
    func withContents<R: Sendable, E: Error>(_ body: (inout Contents) throws(E) -> R) throws(E) -> R {
        while true {
            let found = root.state.withLock { state -> Result<R, E>? in
                guard case .contents(var contents) = state else { return nil }
                do throws(E) {
                    let result = try body(&contents)
                    state = .contents(contents)
                    return .success(result)
                } catch {
                    return .failure(error)
                }
            }
            // Nil when another thread has joined the root to another wiring since `root` was read: then try again.
            if let found { return try found.get() }
        }
    }

    /// The present graph; inside a draft's edit, the draft's graph.
    package var graph: Graph { Draft.current?.graph(of: self) ?? snapshot.graph }

    /// True when changes made in this task go into a draft.
    package static var isDrafting: Bool { Draft.current?.isOpen ?? false }

    /// The present graph without any draft's changes, and its version.
    package var snapshot: (graph: Graph, version: Int) { withContents { ($0.graph, $0.version) } }

    /// Changes the graph, and then calls the observers.
    ///
    /// An edit inside a draft changes only the draft.
    @discardableResult
    package func edit<R: Sendable, E: Error>(_ change: (inout Graph) throws(E) -> R) throws(E) -> R {
        if let draft = Draft.current, let result = try draft.edit(self, change) { return result }
        // The old graph is released after the lock, because its values may be handles whose release locks a wiring.
        let (result, observers, _) = try withContents { (contents) throws(E) in
            let before = contents.graph
            let result = try change(&contents.graph)
            contents.version += 1
            return (result, Array(contents.observers.values), before)
        }
        for observer in observers { observer() }
        return result
    }

    /// Joins this wiring and another one: their graphs are merged atomically, and the observers of both then see all
    /// changes.
    package func join(_ other: Wiring) {
        if let draft = Draft.current, draft.join(self, other) { return }
        guard root !== other.root else { return }
        var observers: [@Sendable () -> Void]?
        repeat { observers = Self.merge([self, other]) } while observers == nil
        for observer in observers ?? [] { observer() }
    }

    // MARK: Watching

    /// Registers a function that is called after every edit, join and commit, and when a node falls out of use, until
    /// ``removeObserver(_:)``.
    ///
    /// Thread: the function runs on the thread that made the change.
    package func observe(_ observer: @escaping @Sendable () -> Void) -> ObserverID {
        let id = ObserverID()
        withContents { $0.observers[id] = observer }
        return id
    }

    /// Stops calling an observer; does nothing for an unknown ID.
    package func removeObserver(_ id: ObserverID) { withContents { $0.observers[id] = nil } }

    /// Reserves the graph for a session, because two sessions cannot draw one graph.
    ///
    /// - Returns: False when another session has reserved the graph.
    package func claim(_ owner: ObjectIdentifier) -> Bool {
        withContents { contents in
            guard contents.owner == nil || contents.owner == owner else { return false }
            contents.owner = owner
            return true
        }
    }

    /// Ends a session's reservation of the graph.
    package func disclaim(_ owner: ObjectIdentifier) {
        withContents { if $0.owner == owner { $0.owner = nil } }
    }

    // MARK: Nodes without handles

    /// Records that a node's last handle is gone.
    ///
    /// Calls the observers when nothing uses the node.
    func release(_ node: NodeID) {
        let observers = withContents { contents -> [@Sendable () -> Void] in
            contents.nodesWithHandles.remove(node)
            if contents.observers.isEmpty || !contents.unused.contains(node) { return [] }
            return Array(contents.observers.values)
        }
        for observer in observers { observer() }
    }

    /// Removes the nodes without handles that neither a sink nor a node with handles takes frames from.
    package func collect() {
        _ = withContents { contents -> Graph? in
            let unused = contents.unused
            guard !unused.isEmpty else { return nil }
            let before = contents.graph
            contents.graph.remove(unused)
            contents.version += 1
            return before
        }
    }

    // MARK: Joining

    /// Joins several wirings: the first one takes over all contents atomically.
    ///
    /// - Parameters:
    ///   - wirings: The wirings, which may be joined already. A wiring may occur twice.
    ///   - isCurrent: Returns true when a wiring has the expected version. If it returns false, nothing changes.
    ///   - change: Changes the joined contents.
    /// - Returns: The observers to call. Nil when nothing was changed, because a version differs or a wiring was joined
    ///   to another one meanwhile.
    static func merge(
        _ wirings: [Wiring], isCurrent: (Wiring, Int) -> Bool = { _, _ in true },
        change: (inout Contents) -> Void = { _ in }
    ) -> [@Sendable () -> Void]? {
        var roots: [Wiring] = []
        for root in wirings.map(\.root) where !roots.contains(where: { $0 === root }) { roots.append(root) }
        guard let target = roots.first else { return [] }
        // All threads lock wirings in the same order, which prevents deadlocks.
        let ordered = roots.sorted { ObjectIdentifier($0) < ObjectIdentifier($1) }
        var states: [ObjectIdentifier: State] = [:]
        // The old states are returned, so that they are released after the locks.
        return locked(ordered[...], &states) {
            states -> (observers: [@Sendable () -> Void], before: [ObjectIdentifier: State])? in
            let before = states
            var joined = Contents()
            for root in roots {
                guard case .contents(let contents)? = states[ObjectIdentifier(root)], isCurrent(root, contents.version)
                else { return nil }
                joined.take(contents)
            }
            joined.version += 1
            change(&joined)
            for root in roots { states[ObjectIdentifier(root)] = .joined(target) }
            states[ObjectIdentifier(target)] = .contents(joined)
            return (Array(joined.observers.values), before)
        }?.observers
    }

    /// Locks all the given wirings, calls a function with their states, and stores the changed states.
    private static func locked<R: Sendable>(
        _ wirings: ArraySlice<Wiring>, _ states: inout [ObjectIdentifier: State],
        _ body: (inout [ObjectIdentifier: State]) -> R
    ) -> R {
        guard let first = wirings.first else { return body(&states) }
        return first.state.withLock { state in
            states[ObjectIdentifier(first)] = state
            let result = locked(wirings.dropFirst(), &states, body)
            if let changed = states[ObjectIdentifier(first)] { state = changed }
            return result
        }
    }
}

extension Wiring.Contents {
    /// The nodes without handles that neither a sink nor a node with handles takes frames from.
    fileprivate var unused: Set<NodeID> {
        Set(graph.order).subtracting(graph.reachable(from: Array(nodesWithHandles) + graph.sinks))
    }

    /// Adds the contents of another wiring.
    fileprivate mutating func take(_ other: Wiring.Contents) {
        graph.merge(other.graph)
        version = max(version, other.version)
        nodesWithHandles.formUnion(other.nodesWithHandles)
        observers.merge(other.observers) { own, _ in own }
        owner = owner ?? other.owner
    }
}
