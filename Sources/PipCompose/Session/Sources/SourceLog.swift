internal import Synchronization

/// Descriptions of the events of a session's open sources.
///
/// Thread: any. Holds no source, so that a source's callbacks can hold the log.
final class SourceLog: Sendable {
    /// The most events kept of each source; later events are left out.
    private static let capacity = 64

    private let contents = Mutex<[NodeID: [String]]>([:])

    /// Starts recording a source's events.
    func begin(_ id: NodeID) { contents.withLock { $0[id] = [] } }

    /// Records an event, if ``begin(_:)`` was called for its source.
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
