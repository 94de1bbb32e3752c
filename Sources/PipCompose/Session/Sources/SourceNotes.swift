internal import Synchronization

/// The receivers of what happens to sources, from any thread.
struct SourceNotes: Sendable {
    let journal: SessionJournal
    let slateBoard: SlateBoard
    /// Tells the matcher of a camera that delivers.
    let arrived: @Sendable (NodeID) -> Void
    /// True when the session ends with the second driver that hangs.
    let endsWithHungDrivers: Bool

    func note(_ event: CameraEvent, of id: NodeID, name: String, in published: Published?) {
        journal.yield(.camera(name: name, event: event))
        slateBoard.note(event, of: id, name: name)
        if event.isArrival { arrived(id) }
        if case .lost(let error) = event, error.kind == .hanging {
            journal.noteHungDriver(error, ends: endsWithHungDrivers) { published?.stop() }
        }
        // Automatics change theirs all the time.
        if case .controlsChanged = event { return }
        published?.sources[id]?.counters.withLock { if $0.events.count < 64 { $0.events.append(event.description) } }
    }

    func note(_ change: LiveChange, of id: NodeID, name: String, in published: Published?) {
        let event: SessionEvent
        switch change {
        case .lost(let error, let words):
            event = .sourceLost(error)
            slateBoard.note(trouble: words, of: id, name: name)
        case .returned:
            event = .sourceReturned(name: name)
            slateBoard.note(trouble: nil, of: id, name: name)
        }
        journal.yield(event)
        published?.sources[id]?.counters.withLock { if $0.events.count < 64 { $0.events.append(event.description) } }
    }
}

extension CameraEvent {
    /// True when a camera is there that may not have been before.
    fileprivate var isArrival: Bool {
        switch self {
        case .started, .reopened: true
        default: false
        }
    }
}
