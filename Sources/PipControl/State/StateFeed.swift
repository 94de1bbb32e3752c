#if Control
internal import PipRig

/// The events for clients, and the history of events for clients that reconnect.
actor StateFeed {
    /// A server-sent event.
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
        /// The revision of the composition.
        var revision = 0
        /// The number of the state.
        ///
        /// Every difference increases it.
        var number = 0

        /// The `ETag`.
        ///
        /// The part before the dot is the revision, which `If-Match` compares.
        var tag: String { "\"\(revision).\(number)\"" }
    }

    /// The length of the history, in events.
    static let memory = 1000
    /// The maximum number of clients.
    static let limit = 48

    private(set) var snapshot = Snapshot()
    private var history: [Event] = []
    private var nextID = 1
    private var readers: [Int: AsyncStream<Void>.Continuation] = [:]
    private var lastReader = 0

    /// Stores a new state, and sends the difference to clients.
    func update(_ document: JSON, revision: Int) {
        let operations = JSONPatch.operations(from: snapshot.document, to: document)
        let isFirst = snapshot.number == 0
        guard isFirst || !operations.isEmpty || revision != snapshot.revision else { return }
        snapshot = Snapshot(document: document, revision: revision, number: snapshot.number + 1)
        guard !isFirst, !operations.isEmpty else { return }
        add("patch", .array(operations))
    }

    /// Sends a message to clients.
    func tell(_ event: String, _ level: String, _ message: String) {
        add("message", .object(["event": event, "level": level, "message": message]))
    }

    private func add(_ name: String, _ data: JSON) {
        history.append(Event(id: nextID, name: name, data: data.line))
        if history.count > Self.memory { history.removeFirst() }
        nextID += 1
        for reader in readers.values { reader.yield() }
    }

    /// The events after an identifier, or the whole state if the history does not reach back so far.
    func events(after last: Int?) -> [Event] {
        if let last, last < nextID, history.first.map({ $0.id <= last + 1 }) ?? (last == nextID - 1) {
            return history.filter { $0.id > last }
        }
        return [Event(id: nextID - 1, name: "state", data: snapshot.document.line)]
    }

    /// Wakes all readers without an event, so that they notice clients that have gone.
    func wakeReaders() { for reader in readers.values { reader.yield() } }

    /// Adds a reader, which is woken at once and for each new event until ``leave(_:)``.
    ///
    /// Returns nil when there are too many readers.
    func join() -> (id: Int, signs: AsyncStream<Void>)? {
        guard readers.count < Self.limit else { return nil }
        lastReader += 1
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        readers[lastReader] = continuation
        continuation.yield()
        return (lastReader, stream)
    }

    /// True while at least one reader follows the events.
    var isFollowed: Bool { !readers.isEmpty }

    func leave(_ id: Int) { readers.removeValue(forKey: id)?.finish() }
}
#endif
