package import PipFrames
internal import Synchronization

/// The graph behind a set of connected nodes, shared by their handles.
///
/// Handles refer to the wiring; the wiring holds only values. Connecting nodes of two wirings joins them: one takes in
/// the other's graph, and the other refers to it from then on. Within a ``Draft``, changes and joins are the draft's
/// until it is committed. Thread-safe.
package final class Wiring: Sendable {
    /// The contents of a wiring that no other wiring has taken in.
    struct Contents {
        var graph = Graph()
        /// Grows with every change of the graph.
        var version = 0
        /// The nodes that handles refer to.
        var held: Set<NodeID> = []
        var observers: [ObserverID: @Sendable () -> Void] = [:]
        /// The session that draws the graph.
        var owner: ObjectIdentifier?
    }

    enum State {
        case contents(Contents)
        /// Another wiring has taken in the contents.
        case joined(Wiring)
    }

    private let state: Mutex<State>

    /// Identifies an observer; equal only to itself, so that observers of two wirings can be told apart once these are
    /// joined.
    package typealias ObserverID = NodeID

    /// A wiring of one node that a handle refers to.
    init(_ node: NodeID, _ record: Graph.Record) {
        var contents = Contents()
        contents.graph.set(record, for: node)
        contents.held = [node]
        state = Mutex(.contents(contents))
    }

    /// The wiring that holds the contents now.
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
            // Nil when it was joined in between.
            if let found { return try found.get() }
        }
    }

    /// The graph as it is now; within a draft, as the draft has it.
    package var graph: Graph { Draft.current?.graph(of: self) ?? snapshot.graph }

    /// True when changes on this task are a draft's.
    package static var isDrafting: Bool { Draft.current?.isOpen ?? false }

    /// The graph as it is now, outside of any draft, and a number that grows with every change.
    package var snapshot: (graph: Graph, version: Int) { withContents { ($0.graph, $0.version) } }

    /// Changes the graph, then tells the observers; within a draft, changes the draft.
    @discardableResult
    package func edit<R: Sendable, E: Error>(_ change: (inout Graph) throws(E) -> R) throws(E) -> R {
        if let draft = Draft.current, let result = try draft.edit(self, change) { return result }
        // The graph from before is let go of once the lock is: its values may be handles, which lock a wiring when they
        // end.
        let (result, observers, _) = try withContents { (contents) throws(E) in
            let before = contents.graph
            let result = try change(&contents.graph)
            contents.version += 1
            return (result, Array(contents.observers.values), before)
        }
        for observer in observers { observer() }
        return result
    }

    /// Makes this wiring and another one the same: the graphs become one at one moment, and the observers of both watch
    /// it.
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

    /// Takes the graph for a session: two cannot draw it at once.
    ///
    /// - Returns: False when another session has it.
    package func claim(_ owner: ObjectIdentifier) -> Bool {
        withContents { contents in
            guard contents.owner == nil || contents.owner == owner else { return false }
            contents.owner = owner
            return true
        }
    }

    /// Gives the graph back that a session had taken.
    package func disclaim(_ owner: ObjectIdentifier) {
        withContents { if $0.owner == owner { $0.owner = nil } }
    }

    // MARK: Nodes without handles

    /// Notes that no handle refers to a node any more; tells the observers when nothing else does.
    func release(_ node: NodeID) {
        let observers = withContents { contents -> [@Sendable () -> Void] in
            contents.held.remove(node)
            if contents.observers.isEmpty || !contents.unused.contains(node) { return [] }
            return Array(contents.observers.values)
        }
        for observer in observers { observer() }
    }

    /// Removes the nodes that no handle refers to and no sink draws on.
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

    /// Makes one of several wirings: their contents become the first one's at one moment.
    ///
    /// - Parameters:
    ///   - wirings: Wirings, joined or not; a wiring may occur twice.
    ///   - isCurrent: Whether a wiring with contents of a version is as it is expected to be; else nothing is changed.
    ///   - change: Changes the joined contents.
    /// - Returns: The observers to be told; nil when nothing was changed, or a wiring was joined to another meanwhile.
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
        // The states from before are returned, to be let go of once the locks are.
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

    /// Calls a function with the states of some wirings, all of them locked, and takes over the states that it leaves.
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
    /// The nodes that no handle refers to and no sink draws on.
    fileprivate var unused: Set<NodeID> {
        Set(graph.order).subtracting(graph.reachable(from: Array(held) + graph.sinks))
    }

    /// Takes in another wiring's contents.
    fileprivate mutating func take(_ other: Wiring.Contents) {
        graph.merge(other.graph)
        version = max(version, other.version)
        held.formUnion(other.held)
        observers.merge(other.observers) { own, _ in own }
        owner = owner ?? other.owner
    }
}
