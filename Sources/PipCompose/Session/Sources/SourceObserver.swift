/// Passes the events of sources on to the journal, the slates, the log and the camera matcher.
///
/// Thread: any. Holds no source, so that a source's callbacks can hold the observer.
struct SourceObserver: Sendable {
    let journal: SessionJournal
    let slateBoard: SlateBoard
    let log: SourceLog
    /// Called with the node of a camera that starts to deliver; informs the matcher.
    let arrived: @Sendable (NodeID) -> Void

    func note(_ event: CameraEvent, of id: NodeID, name: String) {
        journal.yield(.camera(name: name, event: event))
        slateBoard.note(event, of: id, name: name)
        if event.isArrival { arrived(id) }
        if case .lost(let error) = event, error.kind == .hanging { journal.noteHungDriver(error) }
        // Not logged: automatic controls change all the time.
        if case .controlsChanged = event { return }
        log.note(event.description, of: id)
    }

    func note(_ change: LiveChange, of id: NodeID, name: String) {
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
        log.note(event.description, of: id)
    }
}

extension CameraEvent {
    /// True when a camera delivers, perhaps for the first time.
    fileprivate var isArrival: Bool {
        switch self {
        case .started, .reopened: true
        default: false
        }
    }
}
