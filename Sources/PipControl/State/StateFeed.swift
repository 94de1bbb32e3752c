#if Control
internal import PipRig

/// The server-sent events for clients, with a history for clients that reconnect.
actor StateFeed {
    /// A server-sent event.
    struct Event: Sendable {
        let id: Int
        let name: String
        let data: String

        /// The event in the wire format of server-sent events.
        ///
        /// Source: WHATWG HTML, "Server-sent events".
        var text: String { "id: \(id)\nevent: \(name)\ndata: \(data)\n\n" }
    }

    /// The latest state document, with its version numbers.
    struct Snapshot: Sendable {
        var document: JSON = .object([])
        /// The revision of the composition, which changes of the composition increase.
        var revision = 0
        /// The version of the snapshot, which every difference in the document or in the revision increases.
        var number = 0

        /// The `ETag` of the document.
        ///
        /// The part before the dot is the revision, which ``PanelContext`` compares with `If-Match`.
        var tag: String { "\"\(revision).\(number)\"" }
    }

    /// The largest number of events that the history keeps.
    static let memory = 1000
    /// The largest number of clients that may follow the events.
    static let limit = 48

    private(set) var snapshot = Snapshot()
    private var history: [Event] = []
    private var nextID = 1
    private var readers: [Int: AsyncStream<Void>.Continuation] = [:]
    private var lastReader = 0

    /// Stores a new state document, and sends clients the difference from the previous one.
    func update(_ document: JSON, revision: Int) {
        let operations = JSONPatch.operations(from: snapshot.document, to: document)
        let isFirst = snapshot.number == 0
        guard isFirst || !operations.isEmpty || revision != snapshot.revision else { return }
        snapshot = Snapshot(document: document, revision: revision, number: snapshot.number + 1)
        guard !isFirst, !operations.isEmpty else { return }
        add("patch", .array(operations))
    }

    /// Sends a message of the program to clients.
    func tell(_ event: String, _ level: String, _ message: String) {
        add("message", .object(["event": event, "level": level, "message": message]))
    }

    private func add(_ name: String, _ data: JSON) {
        history.append(Event(id: nextID, name: name, data: data.line))
        if history.count > Self.memory { history.removeFirst() }
        nextID += 1
        for reader in readers.values { reader.yield() }
    }

    /// The events after an identifier; the whole state as one event if `last` is nil, unknown or older than the
    /// history.
    func events(after last: Int?) -> [Event] {
        if let last, last < nextID, history.first.map({ $0.id <= last + 1 }) ?? (last == nextID - 1) {
            return history.filter { $0.id > last }
        }
        return [Event(id: nextID - 1, name: "state", data: snapshot.document.line)]
    }

    /// Wakes all readers without an event, so that they send keep-alives.
    ///
    /// A keep-alive that cannot be sent reveals a client that has disconnected.
    func wakeReaders() { for reader in readers.values { reader.yield() } }

    /// Adds a reader of the events; nil when there are too many readers.
    ///
    /// The stream wakes the reader at once and for each new event, until the caller calls ``leave(_:)``.
    func join() -> (id: Int, signs: AsyncStream<Void>)? {
        guard readers.count < Self.limit else { return nil }
        lastReader += 1
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        readers[lastReader] = continuation
        continuation.yield()
        return (lastReader, stream)
    }

    /// True while at least one client follows the events.
    var isFollowed: Bool { !readers.isEmpty }

    func leave(_ id: Int) { readers.removeValue(forKey: id)?.finish() }
}
#endif
