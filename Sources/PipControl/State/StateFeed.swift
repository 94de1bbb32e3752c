#if Control
internal import PipRig

/// The state of a composition over time: what clients are told, and what those missed that come back.
actor StateFeed {
    /// An event as it is sent.
    struct Event: Sendable {
        let id: Int
        let name: String
        let data: String

        /// Source: WHATWG HTML, "Server-sent events".
        var text: String { "id: \(id)\nevent: \(name)\ndata: \(data)\n\n" }
    }

    /// The latest state.
    struct Snapshot: Sendable {
        var document: JSON = .object([])
        /// Of the composition.
        var revision = 0
        /// Grows with every difference.
        var number = 0

        /// The part before the dot is the composition's: what is asked for in `If-Match`.
        var tag: String { "\"\(revision).\(number)\"" }
    }

    /// How many events a client may have missed.
    static let memory = 1000
    /// The most clients.
    static let limit = 48

    private(set) var snapshot = Snapshot()
    private var history: [Event] = []
    private var nextID = 1
    private var readers: [Int: AsyncStream<Void>.Continuation] = [:]
    private var lastReader = 0

    /// Takes a new state, and tells what differs.
    func update(_ document: JSON, revision: Int) {
        let operations = JSONPatch.operations(from: snapshot.document, to: document)
        let isFirst = snapshot.number == 0
        guard isFirst || !operations.isEmpty || revision != snapshot.revision else { return }
        snapshot = Snapshot(document: document, revision: revision, number: snapshot.number + 1)
        guard !isFirst, !operations.isEmpty else { return }
        add("patch", operations)
    }

    /// Tells of something that happened.
    func tell(_ event: String, _ level: String, _ message: String) {
        add("message", .object(["event": event, "level": level, "message": message]))
    }

    private func add(_ name: String, _ data: JSON) {
        history.append(Event(id: nextID, name: name, data: data.line))
        if history.count > Self.memory { history.removeFirst() }
        nextID += 1
        for reader in readers.values { reader.yield() }
    }

    /// The events behind one, or the whole state where they are not known any more.
    func events(after last: Int?) -> [Event] {
        if let last, last < nextID, history.first.map({ $0.id <= last + 1 }) ?? (last == nextID - 1) {
            return history.filter { $0.id > last }
        }
        return [Event(id: nextID - 1, name: "state", data: snapshot.document.line)]
    }

    /// Gives all readers a sign without an event, by which they notice that a client has gone.
    func stir() { for reader in readers.values { reader.yield() } }

    /// A sign at once and for each new event, until ``leave(_:)``; nil when there are too many readers.
    func join() -> (id: Int, signs: AsyncStream<Void>)? {
        guard readers.count < Self.limit else { return nil }
        lastReader += 1
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        readers[lastReader] = continuation
        continuation.yield()
        return (lastReader, stream)
    }

    /// True while somebody follows the events.
    var isFollowed: Bool { !readers.isEmpty }

    func leave(_ id: Int) { readers.removeValue(forKey: id)?.finish() }
}
#endif
