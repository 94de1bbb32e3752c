internal import Synchronization

/// The events of a session, and the failures that decide how it ends.
///
/// Thread-safe. Holds no source and no output, so that their callbacks can hold it.
final class SessionJournal: Sendable {
    /// The number of drivers that hang, of all cameras together, after which the session cannot go on as before.
    private static let mostHungDrivers = 2

    private struct Failures {
        /// The outputs that were opened so far.
        var openedSinks = 0
        var sinks: [SinkError] = []
        var source: SourceError?
        /// The error that ended the session at once.
        var fatal: SessionError?
        /// The number of drivers that do not answer.
        var hungDrivers = 0
        /// True when drivers that hang mean nothing any more.
        var isClosing = false
    }

    private let events: AsyncStream<SessionEvent>.Continuation
    /// Ends the session.
    private let stop: StopSignal
    /// True when the session ends with the second driver that hangs.
    private let endsWithHungDrivers: Bool
    private let failures = Mutex(Failures())

    init(_ events: AsyncStream<SessionEvent>.Continuation, _ stop: StopSignal, endsWithHungDrivers: Bool) {
        self.events = events
        self.stop = stop
        self.endsWithHungDrivers = endsWithHungDrivers
    }

    func yield(_ event: SessionEvent) { events.yield(event) }

    /// The error that the session ends with; nil when all went well.
    var failure: SessionError? {
        failures.withLock { failures in
            if let fatal = failures.fatal { return fatal }
            // A reader that has closed its end is the least of all errors.
            if let error = failures.sinks.first(where: { !$0.endsByReader }) { return .sink(error) }
            return failures.source.map { .source($0) } ?? failures.sinks.first.map { .sink($0) }
        }
    }

    /// Notes that the session ends because of an error.
    func end(with error: SessionError) { failures.withLock { $0.fatal = $0.fatal ?? error } }

    /// Notes that the session closes: drivers that hang later mean nothing.
    func close() { failures.withLock { $0.isClosing = true } }

    func sourceFailed(_ error: SourceError) {
        yield(.sourceFailed(error))
        failures.withLock { $0.source = $0.source ?? error }
    }

    func sinkOpened() { failures.withLock { $0.openedSinks += 1 } }

    /// Notes an output that has failed.
    ///
    /// The session ends when all outputs that were opened have.
    func sinkFailed(_ error: SinkError) {
        yield(.sinkFailed(error))
        let isLast = failures.withLock { failures in
            failures.sinks.append(error)
            return failures.sinks.count >= failures.openedSinks
        }
        if isLast { stop.raise() }
    }

    /// Notes a camera that was left behind with its thread, because its driver does not answer.
    ///
    /// Only the end of the process frees such a thread. With the second one the session ends where somebody starts the
    /// program again; otherwise an event says what would help.
    func noteHungDriver(_ error: CaptureError) {
        let count = failures.withLock { failures in
            failures.hungDrivers += 1
            return failures.isClosing ? 0 : failures.hungDrivers
        }
        guard count == Self.mostHungDrivers else { return }
        let trouble = CaptureError(
            .hanging, device: error.device, operation: "go on as before",
            reason: "\(count) times a driver has not answered, and each time a thread was left behind in it",
            hint: endsWithHungDrivers
                ? "the program ends, to be started again" : "start the program again when it suits")
        guard endsWithHungDrivers else { return yield(.driversHang(trouble)) }
        end(with: .camera(trouble))
        stop.raise()
    }
}
