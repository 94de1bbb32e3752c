internal import Synchronization

/// The events of a session, and the failures that decide its final error.
///
/// Thread: any. Holds no source and no output, so that their callbacks can hold the journal.
final class SessionJournal: Sendable {
    /// The number of hung driver calls, counted over all cameras, at which the session ends or warns.
    private static let mostHungDrivers = 2

    private struct Failures {
        /// The number of outputs that were opened so far.
        var openedSinks = 0
        var sinks: [SinkError] = []
        var source: SourceError?
        /// The error that has ended the session at once; nil without such an error.
        var fatal: SessionError?
        var hungDrivers = 0
        /// True once the session closes: drivers that hang later are ignored.
        var isClosing = false
    }

    private let events: AsyncStream<SessionEvent>.Continuation
    private let stop: StopSignal
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
            // A reader that has closed its end of a pipe is the least serious error.
            if let error = failures.sinks.first(where: { !$0.endsByReader }) { return .sink(error) }
            return failures.source.map { .source($0) } ?? failures.sinks.first.map { .sink($0) }
        }
    }

    /// Notes the error that ends the session; an earlier error stays.
    func end(with error: SessionError) { failures.withLock { $0.fatal = $0.fatal ?? error } }

    /// Notes that the session closes, so that drivers that hang later are ignored.
    func close() { failures.withLock { $0.isClosing = true } }

    func sourceFailed(_ error: SourceError) {
        yield(.sourceFailed(error))
        failures.withLock { $0.source = $0.source ?? error }
    }

    func sinkOpened() { failures.withLock { $0.openedSinks += 1 } }

    /// Notes an output that has failed.
    ///
    /// The session ends when every output that was opened so far has failed.
    func sinkFailed(_ error: SinkError) {
        yield(.sinkFailed(error))
        let isLast = failures.withLock { failures in
            failures.sinks.append(error)
            return failures.sinks.count >= failures.openedSinks
        }
        if isLast { stop.raise() }
    }

    /// Notes a camera whose driver does not return, so that its thread had to be abandoned.
    ///
    /// Only the end of the process frees such a thread. With the second hung call, the session ends if
    /// `endsWithHungDrivers` is true. Otherwise an event advises to restart the program.
    func noteHungDriver(_ error: CaptureError) {
        let count = failures.withLock { failures in
            failures.hungDrivers += 1
            return failures.isClosing ? 0 : failures.hungDrivers
        }
        guard count == Self.mostHungDrivers else { return }
        let trouble = CaptureError(
            .hanging, device: error.device, operation: "go on as before",
            reason: "\(count) calls of drivers have not returned, and each call blocks a thread for good",
            hint: endsWithHungDrivers
                ? "the program ends: start it again" : "restart the program")
        guard endsWithHungDrivers else { return yield(.driversHang(trouble)) }
        end(with: .camera(trouble))
        stop.raise()
    }
}
