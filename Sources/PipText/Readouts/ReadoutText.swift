internal import PipCompose
internal import PipConcurrency
internal import PipFrames
internal import PipSources
internal import Synchronization

/// A picture of a text with values, which a thread of its own draws when the text changes.
final class ReadoutPicture: LivePicture {
    /// The least time between two drawn texts, however often the values change.
    private static let pause = Duration.milliseconds(15)

    private let format: ReadoutFormat
    private let telemetry: Telemetry
    private let picture: TextPicture
    private let warn: @Sendable (String) -> Void
    private let isStopped = Atomic(false)
    private let thread = Mutex<WorkerThread?>(nil)

    /// Opens the font and draws the present values.
    ///
    /// - Throws: ``SourceError`` when the font is missing or unusable, or the text is too large.
    init(
        _ format: ReadoutFormat, _ telemetry: Telemetry, _ picture: TextPicture,
        _ reports: LivePictureSpecification.Reports
    ) throws(SourceError) {
        (self.format, self.telemetry, self.picture, warn) = (format, telemetry, picture, reports.warn)
        try picture.set(format.text(of: telemetry.readings, at: telemetry.clock.now).text)
        try picture.open(reports)
    }

    private func run() {
        var (readings, problem) = (telemetry.readings, String?.none)
        while true {
            let now = telemetry.clock.now
            let (text, due) = format.text(of: readings, at: now)
            do throws(SourceError) {
                try picture.set(text)
                problem = nil
            } catch {
                // The former text stays; a problem that lasts is told once.
                if problem != error.description { warn(error.description) }
                problem = error.description
            }
            telemetry.rest(until: now.advanced(by: Self.pause)) { isStopped.load(ordering: .acquiring) }
            let next = telemetry.wait(after: readings, until: due) { isStopped.load(ordering: .acquiring) }
            guard let next else { return }
            readings = next
        }
    }

    // MARK: LivePicture

    var description: SourceDescription { picture.description }

    func start() {
        thread.withLock { thread in
            guard thread == nil else { return }
            thread = WorkerThread(name: "pip-readout", clock: telemetry.clock) { [self] in run() }
        }
    }

    func stop() {
        isStopped.store(true, ordering: .releasing)
        telemetry.wake()
        thread.withLock { $0 }?.join()
    }

    func frame(at offset: Duration, waitingUntil deadline: Timestamp?) -> LiveFrame {
        picture.frame(at: offset, waitingUntil: deadline)
    }
}
