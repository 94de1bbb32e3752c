internal import Synchronization

/// The events of a session's open sources, in words.
///
/// Thread-safe. Holds no source, so that a source's callbacks can hold it.
final class SourceLog: Sendable {
    /// The most events that are kept of a source, the first ones.
    private static let capacity = 64

    private let contents = Mutex<[NodeID: [String]]>([:])

    /// Begins to keep a source's events.
    func begin(_ id: NodeID) { contents.withLock { $0[id] = [] } }

    /// Adds an event of a source whose events are kept.
    func note(_ event: String, of id: NodeID) {
        contents.withLock { contents in
            guard let count = contents[id]?.count, count < Self.capacity else { return }
            contents[id]?.append(event)
        }
    }

    func events(of id: NodeID) -> [String] { contents.withLock { $0[id] ?? [] } }

    /// Forgets a source's events.
    func end(_ id: NodeID) { contents.withLock { $0[id] = nil } }
}
