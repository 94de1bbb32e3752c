internal import PipCompose
internal import PipConcurrency
internal import PipFrames
internal import PipSources
internal import Synchronization

/// A picture of values.
///
/// Thread: ``draw(_:at:)`` one at a time; the rest any.
protocol ValuePicture: AnyObject, Sendable {
    /// Draws the values of a moment; the former picture stays when it fails.
    ///
    /// - Parameters:
    ///   - readings: The values.
    ///   - now: The present time.
    /// - Returns: The time at which the picture changes although no value does; nil if it stays.
    /// - Throws: ``SourceError`` for values that cannot be drawn.
    func draw(_ readings: Telemetry.Readings, at now: Timestamp) throws(SourceError) -> Timestamp?

    /// The format of the first frame.
    var description: SourceDescription { get }

    /// Returns the newest frame.
    func frame(at offset: Duration, waitingUntil deadline: Timestamp?) -> LiveFrame
}

/// A live picture of values, which a thread of its own draws when they change.
final class TelemetryPicture: LivePicture {
    /// The least time between two drawn pictures, however often the values change.
    private static let pause = Duration.milliseconds(15)

    private let picture: any ValuePicture
    private let telemetry: Telemetry
    private let warn: @Sendable (String) -> Void
    private let isStopped = Atomic(false)
    private let thread = Mutex<WorkerThread?>(nil)

    /// Draws the present values.
    ///
    /// - Throws: ``SourceError`` when they cannot be drawn.
    init(
        _ picture: any ValuePicture, _ telemetry: Telemetry, _ reports: LivePictureSpecification.Reports
    ) throws(SourceError) {
        (self.picture, self.telemetry, warn) = (picture, telemetry, reports.warn)
        _ = try picture.draw(telemetry.readings, at: telemetry.clock.now)
    }

    private func run() {
        var (readings, problem) = (telemetry.readings, String?.none)
        var due: Timestamp?
        while true {
            let now = telemetry.clock.now
            do throws(SourceError) {
                due = try picture.draw(readings, at: now)
                problem = nil
            } catch {
                // A problem that lasts is told once.
                if problem != error.description { warn(error.description) }
                (problem, due) = (error.description, now.advanced(by: .seconds(1)))
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
