package import PipFrames
internal import Synchronization

/// The graph behind a set of connected nodes, shared by their handles.
///
/// Handles refer to the wiring; the wiring holds only values. Connecting nodes of two wirings joins them: one takes in
/// the other's graph, and the other refers to it from then on. Within a ``Draft``, changes and joins belong to the
/// draft until it is committed.
///
/// Thread: any.
package final class Wiring: Sendable {
    /// The state of a wiring that has not joined another one.
    struct Contents {
        var graph = Graph()
        /// The version, which grows with every change of the graph.
        var version = 0
        /// The nodes that have handles.
        var nodesWithHandles: Set<NodeID> = []
        var observers: [ObserverID: @Sendable () -> Void] = [:]
        /// The session that draws the graph.
        var owner: ObjectIdentifier?
    }

    enum State {
        case contents(Contents)
        /// The wiring that has taken over the contents.
        case joined(Wiring)
    }

    private let state: Mutex<State>

    /// The identity of an observer.
    ///
    /// Unique among all wirings, so that observers can be told apart after a join.
    package typealias ObserverID = NodeID

    /// A wiring of one node that has a handle.
    init(_ node: NodeID, _ record: Graph.Record) {
        var contents = Contents()
        contents.graph.set(record, for: node)
        contents.nodesWithHandles = [node]
        state = Mutex(.contents(contents))
    }

    /// The wiring that holds the contents at present.
    var root: Wiring {
        var current = self
        while let next = current.state.withLock({ if case .joined(let next) = $0 { next } else { nil } }) {
            current = next
        }
        return current
    }

    /// Reads or changes the contents.
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
            // Nil when the wiring was joined in between.
            if let found { return try found.get() }
        }
    }

    /// The graph at present; within a draft, the draft's graph.
    package var graph: Graph { Draft.current?.graph(of: self) ?? snapshot.graph }

    /// True when changes on this task go into a draft.
    package static var isDrafting: Bool { Draft.current?.isOpen ?? false }

    /// The graph at present, outside of any draft, and its version, which grows with every change.
    package var snapshot: (graph: Graph, version: Int) { withContents { ($0.graph, $0.version) } }

    /// Changes the graph, and then tells the observers.
    ///
    /// Within a draft, changes the draft.
    @discardableResult
    package func edit<R: Sendable, E: Error>(_ change: (inout Graph) throws(E) -> R) throws(E) -> R {
        if let draft = Draft.current, let result = try draft.edit(self, change) { return result }
        // The old graph is released after the lock is. Its values may be handles, whose release locks a wiring.
        let (result, observers, _) = try withContents { (contents) throws(E) in
            let before = contents.graph
            let result = try change(&contents.graph)
            contents.version += 1
            return (result, Array(contents.observers.values), before)
        }
        for observer in observers { observer() }
        return result
    }

    /// Joins this wiring and another one: their graphs become one at one moment, which the observers of both watch.
    package func join(_ other: Wiring) {
        if let draft = Draft.current, draft.join(self, other) { return }
        guard root !== other.root else { return }
        var observers: [@Sendable () -> Void]?
        repeat { observers = Self.merge([self, other]) } while observers == nil
        for observer in observers ?? [] { observer() }
    }

    // MARK: Watching

    /// Calls a function after every change, on the thread that made it, until ``removeObserver(_:)``.
    package func observe(_ observer: @escaping @Sendable () -> Void) -> ObserverID {
        let id = ObserverID()
        withContents { $0.observers[id] = observer }
        return id
    }

    /// Ends the calls of an observer.
    package func removeObserver(_ id: ObserverID) { withContents { $0.observers[id] = nil } }

    /// Reserves the graph for a session, since two sessions cannot draw it.
    ///
    /// - Returns: False when another session has reserved it.
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

    /// Removes a node from those that have handles, and tells the observers when no edge leads to it.
    func release(_ node: NodeID) {
        let observers = withContents { contents -> [@Sendable () -> Void] in
            contents.nodesWithHandles.remove(node)
            if contents.observers.isEmpty || !contents.unused.contains(node) { return [] }
            return Array(contents.observers.values)
        }
        for observer in observers { observer() }
    }

    /// Removes the nodes that have no handle and that no sink draws on.
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

    /// Joins several wirings: the first one takes over all contents at one moment.
    ///
    /// - Parameters:
    ///   - wirings: Wirings, joined or not; a wiring may occur twice.
    ///   - isCurrent: Returns true when a wiring has the version expected of it; false changes nothing.
    ///   - change: The change of the joined contents.
    /// - Returns: The observers to tell; nil when nothing was changed, or a wiring was joined to another one meanwhile.
    static func merge(
        _ wirings: [Wiring], isCurrent: (Wiring, Int) -> Bool = { _, _ in true },
        change: (inout Contents) -> Void = { _ in }
    ) -> [@Sendable () -> Void]? {
        var roots: [Wiring] = []
        for root in wirings.map(\.root) where !roots.contains(where: { $0 === root }) { roots.append(root) }
        guard let target = roots.first else { return [] }
        // Every thread locks wirings in the same order, so that none waits for another in a circle.
        let ordered = roots.sorted { ObjectIdentifier($0) < ObjectIdentifier($1) }
        var states: [ObjectIdentifier: State] = [:]
        // The old states are returned, to be released after the locks are.
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

    /// Calls a function with the states of some wirings, which are all locked, and stores the states that it leaves.
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
    /// The nodes that have no handle and that no sink draws on.
    fileprivate var unused: Set<NodeID> {
        Set(graph.order).subtracting(graph.reachable(from: Array(nodesWithHandles) + graph.sinks))
    }

    /// Takes over another wiring's contents.
    fileprivate mutating func take(_ other: Wiring.Contents) {
        graph.merge(other.graph)
        version = max(version, other.version)
        nodesWithHandles.formUnion(other.nodesWithHandles)
        observers.merge(other.observers) { own, _ in own }
        owner = owner ?? other.owner
    }
}
