internal import Logging
internal import PipFrames
internal import Synchronization

/// Reports a slot's events to its owner, and to the log at intervals.
///
/// Thread: any.
final class EventReporter: Sendable {
    /// The minimum interval between logged events of the same kind.
    private static let logInterval = Duration.seconds(5)

    let onEvent: @Sendable (CameraEvent) -> Void
    private let logger: Logger?
    /// The times of the latest log entries, keyed by ``CameraEvent/word``.
    private let lastLogged = Mutex<[String: Timestamp]>([:])

    init(_ logger: Logger?, onEvent: @escaping @Sendable (CameraEvent) -> Void) {
        self.logger = logger
        self.onEvent = onEvent
    }

    func report(_ event: CameraEvent, of device: String, at now: Timestamp) {
        let isLogged = lastLogged.withLock { times in
            let isDue = times[event.word].map { $0.duration(to: now) >= Self.logInterval } ?? true
            if isDue { times[event.word] = now }
            return isDue
        }
        if isLogged { logger?.log(level: event.isTrouble ? .warning : .info, "\(device): \(event)") }
        onEvent(event)
    }
}
