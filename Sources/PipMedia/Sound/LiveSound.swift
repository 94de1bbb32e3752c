#if Media
internal import PipConcurrency
internal import PipFrames
internal import PipSound

/// An open source of live sound: a recording device, or a stream.
protocol SoundCapture: AnyObject, Sendable {
    /// Waits for the next block.
    ///
    /// - Parameter timeout: The longest wait.
    /// - Returns: The block, stamped with the time of its first sample. Nil when none came.
    /// - Throws: ``MediaError`` when recording fails, for example because a device is gone.
    func next(within timeout: Duration) throws(MediaError) -> AudioBlock?
    /// Stops recording, and closes the source.
    func stop()
}

/// The sound of a recording device or a stream on a mixer's clock.
///
/// The reader resamples the sound to cancel the drift of the source's clock, and is silent while the source is gone.
final class LiveSound: AudioReader {
    private struct State {
        var timeline: AudioTimeline?
        var status = AudioStatus(.waiting)
        var isStopping = false
    }

    /// The longest wait for a block, after which the thread checks whether it must stop.
    private static let interval = Duration.milliseconds(100)
    /// The time without sound after which the source is opened again.
    private static let stallTime = Duration.seconds(2)
    /// The wait after a first failure of the source; each further wait is twice as long, up to ``longestWait``.
    private static let firstWait = Duration.milliseconds(500)
    private let longestWait: Duration

    private let frames: SampleClock
    private let clock: MonotonicClock
    private let onEvent: @Sendable (String) -> Void
    private let state: Monitor<State>

    /// Starts recording on a new thread.
    ///
    /// - Parameters:
    ///   - context: The mixer's clocks, and the function for events.
    ///   - longestWait: The longest wait before the source is opened again.
    ///   - open: Opens the source. Called again after each failure, on the new thread.
    init(
        _ context: AudioContext, longestWait: Duration = .seconds(4),
        _ open: @escaping @Sendable () throws(MediaError) -> any SoundCapture
    ) {
        self.longestWait = longestWait
        frames = context.frames
        clock = context.clock
        onEvent = context.onEvent
        state = Monitor(State(), clock: context.clock)
        _ = WorkerThread(name: "pip-microphone", clock: clock) { [self] in run(open) }
    }

    func read(from frame: Int, count: Int) -> AudioBlock {
        state.update { state in
            guard var timeline = state.timeline else { return AudioBlock(.mono, frames: count) }
            // Clear the state's reference: with two references, writing would copy the timeline's memory.
            state.timeline = nil
            var block = AudioBlock(timeline.output, frames: count)
            timeline.read(from: frame, into: &block)
            state.status.drift = timeline.drift
            state.timeline = timeline
            return block
        }
    }

    var status: AudioStatus { state.read { $0.status } }

    func stop() { state.update { $0.isStopping = true } }

    // MARK: The device's thread

    private func run(_ open: () throws(MediaError) -> any SoundCapture) {
        var wait = Self.firstWait
        while !state.read({ $0.isStopping }) {
            do throws(MediaError) {
                let capture = try open()
                defer { capture.stop() }
                try record(capture) { wait = Self.firstWait }
            } catch { lose(error.reason) }
            _ = state.wait(until: clock.now.advanced(by: wait)) { $0.isStopping ? true : nil }
            wait = min(wait + wait, longestWait)
        }
    }

    /// Writes blocks to the timeline until the source fails or the mixer stops.
    private func record(_ capture: any SoundCapture, _ onSound: () -> Void) throws(MediaError) {
        var last = clock.now
        while !state.read({ $0.isStopping }) {
            if let block = try capture.next(within: Self.interval) {
                last = clock.now
                onSound()
                try write(block)
            } else if last.duration(to: clock.now) > Self.stallTime {
                throw MediaError(kind: .failed, reason: "no sound has come for \(Self.stallTime.components.seconds) s")
            }
        }
    }

    private func write(_ block: AudioBlock) throws(MediaError) {
        let hasReturned = try state.update { (state) throws(MediaError) in
            if state.timeline?.input != block.format {
                do throws(SoundError) { state.timeline = try AudioTimeline(block.format, clock: frames) } catch {
                    throw MediaError(kind: .unsupported, reason: error.reason)
                }
            }
            state.timeline?.write(block)
            let wasMissing = state.status.state == .missing
            state.status.state = .sounding
            state.status.problem = nil
            if wasMissing { state.status.returns += 1 }
            return wasMissing
        }
        if hasReturned { onEvent("it is back") }
    }

    /// Marks the source as missing, and ends the timeline's run, so that later sound starts with a new timestamp.
    private func lose(_ reason: String) {
        let isNew = state.update { state in
            state.timeline?.endRun()
            defer { (state.status.state, state.status.problem) = (.missing, reason) }
            return state.status.state != .missing
        }
        if isNew { onEvent("\(reason); there is silence until it is back") }
    }
}
#endif
