internal import PipConcurrency
internal import PipFrames
internal import PipPixels
internal import PipSinks

/// The loop of a display's thread, which shows the newest frame whenever the display is ready, and reopens a lost
/// display.
///
/// Thread: the thread that runs ``run()`` only, except ``state`` and ``wake``, which any thread may use.
final class DisplayLoop: @unchecked Sendable {
    struct State {
        var statistics: OutputStatistics
        /// The frame that waits for the display; nil when none waits.
        var next: Frame?
        /// True when no more frames are accepted, because the owner has closed the output, or the user has closed the
        /// window.
        var isEnding = false
        /// True when the thread shows nothing more, and is about to end.
        var isDone = false
    }

    /// The time between two attempts to open a lost display.
    private static let retryInterval = Duration.seconds(1)
    /// The longest time to wait until the last frame is shown.
    private static let endPatience = Duration.milliseconds(100)
    /// The largest deviation of a paced frame from its due time; a larger deviation restarts the timing.
    private static let pauseLimit = Duration.seconds(1)

    let state: Monitor<State>
    /// Ends the thread's wait; other threads raise it after they have changed the state.
    let wake = DisplayWake()
    private let output: DisplayRunner.Output
    private var surface: (any DisplaySurface)?
    private let painter: PicturePainter
    private let open: () throws(DisplayError) -> any DisplaySurface
    private let clock = MonotonicClock()
    /// The frame on display.
    private var shown: Frame?
    private var nextAttempt = Timestamp.zero
    /// The end of the wait for the last frame; nil while frames arrive.
    private var end: Timestamp?
    /// The reference for pacing: a frame's timestamp, and the clock's time at which this frame was due.
    private var start: (frame: Timestamp, clock: Timestamp)?

    init(
        _ output: DisplayRunner.Output, _ surface: any DisplaySurface, _ painter: PicturePainter,
        _ clock: MonotonicClock, open: @escaping () throws(DisplayError) -> any DisplaySurface
    ) {
        state = Monitor(State(statistics: OutputStatistics(name: output.name)), clock: clock)
        self.output = output
        self.surface = surface
        self.painter = painter
        self.open = open
    }

    func run() {
        while !isOver {
            do throws(DisplayLoss) { try step() } catch {
                switch error {
                case .lost(let reason): lose(reason)
                case .closed: return fail()
                }
            }
            wait()
        }
        surface = nil
        state.update { $0.isDone = true }
    }

    /// True when no more frames arrive, and the last frame was shown or cannot be shown in time.
    private var isOver: Bool {
        let (isEnding, isWaiting) = state.read { ($0.isEnding, $0.next != nil) }
        guard isEnding else { return false }
        let end = end ?? clock.now.advanced(by: Self.endPatience)
        self.end = end
        return !isWaiting || surface == nil || clock.now >= end
    }

    private func step() throws(DisplayLoss) {
        if surface == nil { reopen() }
        try surface?.work()
        guard let surface else {
            if takeDue() != nil { state.update { $0.statistics.drops[.disabled] += 1 } }
            return
        }
        guard surface.isReady else { return }
        if let frame = takeDue() {
            shown = frame
            try show(frame, on: surface)
            state.update { $0.statistics.written += 1 }
        } else if surface.needsPicture, let shown {
            try show(shown, on: surface)
        }
    }

    private func show(_ frame: Frame, on surface: any DisplaySurface) throws(DisplayLoss) {
        let size = surface.size
        try unsafe surface.show { start, stride in
            unsafe painter.paint(frame, onto: start, stride: stride, size: size)
        }
    }

    /// Removes and returns the waiting frame, if it is due.
    private func takeDue() -> Frame? {
        if let due = nextDue, clock.now < due { return nil }
        return state.update { state in
            defer { state.next = nil }
            return state.next
        }
    }

    /// The time at which the waiting frame is due; nil when no frame waits, and on a display that is not paced.
    private var nextDue: Timestamp? {
        guard output.isPaced, let time = state.read({ $0.next?.timestamp }) else { return nil }
        let now = clock.now
        let begun = start ?? (time, now)
        let due = begun.clock.advanced(by: begun.frame.duration(to: time))
        // After a pause, frames are late. When a file starts again, the timestamps of frames jump.
        let isApart = due.duration(to: now) > Self.pauseLimit || now.duration(to: due) > Self.pauseLimit
        start = isApart ? (time, now) : begun
        return isApart ? now : due
    }

    /// Blocks until ``step()`` has work to do.
    private func wait() {
        let moments = [surface == nil ? nextAttempt : surface?.nextCheck, end, nextDue].compactMap { $0 }
        let left = moments.min().map { max(0, clock.now.duration(to: $0).nanoseconds) }
        let milliseconds = left.map { Int32(clamping: ($0 + 999_999) / 1_000_000) } ?? -1
        wake.wait(
            for: surface?.descriptor ?? -1, isWriting: surface?.hasOutput ?? false, milliseconds: milliseconds)
    }

    // MARK: Loss

    private func reopen() {
        guard clock.now >= nextAttempt else { return }
        nextAttempt = clock.now.advanced(by: Self.retryInterval)
        do throws(DisplayError) { surface = try open() } catch { return }
        state.update { $0.statistics.error = nil }
        output.onEvent(.warning(sink: output.name, "the picture is shown again"))
    }

    private func lose(_ reason: String) {
        surface = nil
        nextAttempt = clock.now.advanced(by: Self.retryInterval)
        let error = SinkError(output.name, "show the picture", .failed, reason)
        state.update { $0.statistics.error = error }
        output.onEvent(.warning(sink: output.name, "\(reason); the output tries again once a second"))
    }

    private func fail() {
        (surface, shown) = (nil, nil)
        let error = SinkError(output.name, "show the picture", .closedWindow, "its window was closed")
        state.update { state in
            if state.next != nil { state.statistics.drops[.disabled] += 1 }
            (state.next, state.isEnding) = (nil, true)
            state.statistics.error = error
        }
        output.onError(error)
        state.update { $0.isDone = true }
    }
}
