internal import PipConcurrency
internal import PipFrames
internal import PipPixels
internal import PipSinks

/// The body of a display's thread, which shows the newest frame whenever the display is ready, and opens a lost display
/// again.
///
/// Thread: the thread that calls ``run()``, except ``state`` and ``wake``, which are for all threads.
final class DisplayLoop: @unchecked Sendable {
    struct State {
        var statistics: OutputStatistics
        /// The newest frame, until the display takes it.
        var next: Frame?
        /// True when no more frames arrive.
        var isEnding = false
        /// True when the thread has ended.
        var isDone = false
    }

    /// The time between two attempts to open a lost display.
    private static let retryInterval = Duration.seconds(1)
    /// The longest wait for the last frame to be shown.
    private static let endPatience = Duration.milliseconds(100)
    /// A paced frame that is early or late by more than this starts a new count of time.
    private static let pauseLimit = Duration.seconds(1)

    let state: Monitor<State>
    /// Ends the wait of the thread after a change of the state.
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
    /// A paced frame's own time, and the clock's time when that frame was due.
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

    /// True when no more frames arrive, and the waiting one was shown or cannot be shown in time.
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

    /// Takes the waiting frame when it is due.
    private func takeDue() -> Frame? {
        if let due = nextDue, clock.now < due { return nil }
        return state.update { state in
            defer { state.next = nil }
            return state.next
        }
    }

    /// The moment at which the waiting frame is due; nil for at once.
    private var nextDue: Timestamp? {
        guard output.isPaced, let time = state.read({ $0.next?.timestamp }) else { return nil }
        let now = clock.now
        let begun = start ?? (time, now)
        let due = begun.clock.advanced(by: begun.frame.duration(to: time))
        // Frames come late after a pause, and early or late when a file begins anew.
        let isApart = due.duration(to: now) > Self.pauseLimit || now.duration(to: due) > Self.pauseLimit
        start = isApart ? (time, now) : begun
        return isApart ? now : due
    }

    /// Blocks until ``step()`` has something to do.
    private func wait() {
        let moments = [surface == nil ? nextAttempt : nil, end, nextDue].compactMap { $0 }
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
        output.onEvent(.warning(sink: output.name, "\(reason); it is tried again"))
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
