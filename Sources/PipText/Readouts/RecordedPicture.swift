internal import PipCompose
internal import PipFrames
internal import PipSources
internal import Synchronization

/// A live picture of recorded values, which are drawn for the first frame that has them.
final class RecordedPicture: LivePicture {
    private struct State {
        var readings: RecordedReadings
        /// The time at which the picture changes although no value does; nil if it stays.
        var due: Timestamp?
        var problem: String?
    }

    private let picture: any ValuePicture
    private let warn: @Sendable (String) -> Void
    private let state: Mutex<State>

    /// Draws the values at the output's start.
    ///
    /// - Throws: ``SourceError`` when they cannot be drawn.
    init(
        _ picture: any ValuePicture, _ recorded: RecordedValues, _ reports: LivePictureSpecification.Reports
    ) throws(SourceError) {
        (self.picture, warn) = (picture, reports.warn)
        var readings = RecordedReadings(recorded)
        _ = readings.follow(to: .zero)
        let due = try picture.draw(readings.readings, at: .zero)
        state = Mutex(State(readings: readings, due: due))
    }

    // MARK: LivePicture

    var description: SourceDescription { picture.description }

    func start() {}
    func stop() {}

    /// Draws on the render thread, so that each frame of an old movie has the values of its own time.
    func frame(at offset: Duration, waitingUntil deadline: Timestamp?) -> LiveFrame {
        state.withLock { state in
            let now = Timestamp.zero.advanced(by: offset)
            guard state.readings.follow(to: offset) || state.due.map({ $0 <= now }) ?? false else { return }
            do throws(SourceError) {
                state.due = try picture.draw(state.readings.readings, at: now)
                state.problem = nil
            } catch {
                // A problem that lasts is told once.
                if state.problem != error.description { warn(error.description) }
                (state.problem, state.due) = (error.description, now.advanced(by: .seconds(1)))
            }
        }
        return picture.frame(at: offset, waitingUntil: deadline)
    }
}

extension ValuePicture {
    /// Returns the live picture of the values as they come, or of recorded ones.
    ///
    /// - Throws: ``SourceError`` when the first values cannot be drawn.
    func live(
        _ telemetry: Telemetry, _ reports: LivePictureSpecification.Reports
    ) throws(SourceError) -> any LivePicture {
        guard let recorded = telemetry.recorded else { return try TelemetryPicture(self, telemetry, reports) }
        return try RecordedPicture(self, recorded, reports)
    }
}
