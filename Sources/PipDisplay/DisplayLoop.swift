internal import PipConcurrency
internal import PipFrames
internal import PipPixels
internal import PipSinks

/// The body of a display's thread: it shows the newest frame whenever the display takes one, and opens the display anew
/// when it was lost.
final class DisplayLoop: @unchecked Sendable {
    struct State {
        var statistics: OutputStatistics
        let isPaced: Bool
        /// The newest frame, which is not taken yet.
        var next: Frame?
        /// No frames come any more.
        var isEnding = false
        var isDone = false
    }

    /// How often a display that is lost is looked for.
    private static let interval = Duration.seconds(1)
    /// How long the last frame may wait for the one before.
    private static let patience = Duration.milliseconds(100)
    /// A frame that comes so late begins a new count of time.
    private static let pause = Duration.seconds(1)

    // All but `state` and `wake` is touched by the one thread that calls `run()`.
    private let name: String
    private var surface: (any DisplaySurface)?
    private let painter: PicturePainter
    private let state: Monitor<State>
    private let wake: DisplayWake
    private let open: () throws(DisplayError) -> any DisplaySurface
    private let onEvent: @Sendable (SinkEvent) -> Void
    private let onError: @Sendable (SinkError) -> Void
    private let clock = MonotonicClock()
    /// The frame that is shown.
    private var shown: Frame?
    private var nextAttempt = Timestamp.zero
    /// When to end although a frame waits.
    private var end: Timestamp?
    /// The moment of the first frame, by its own time and by the clock.
    private var start: (frame: Timestamp, clock: Timestamp)?

    init(
        _ name: String, _ surface: any DisplaySurface, _ painter: PicturePainter, _ state: Monitor<State>,
        _ wake: DisplayWake, open: @escaping () throws(DisplayError) -> any DisplaySurface,
        onEvent: @escaping @Sendable (SinkEvent) -> Void, onError: @escaping @Sendable (SinkError) -> Void
    ) {
        self.name = name
        self.surface = surface
        self.painter = painter
        self.state = state
        self.wake = wake
        self.open = open
        self.onEvent = onEvent
        self.onError = onError
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

    /// True when nothing comes any more, and nothing that has come can be shown in time.
    private var isOver: Bool {
        let (isEnding, isWaiting) = state.read { ($0.isEnding, $0.next != nil) }
        guard isEnding else { return false }
        end = end ?? clock.now.advanced(by: Self.patience)
        return !isWaiting || surface == nil || clock.now >= end ?? .zero
    }

    private func step() throws(DisplayLoss) {
        if surface == nil { reopen() }
        try surface?.work()
        guard let surface else {
            if take() != nil { state.update { $0.statistics.drops[.disabled] += 1 } }
            return
        }
        guard surface.isReady else { return }
        if let frame = take() {
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

    /// The frame that is to be shown now.
    private func take() -> Frame? {
        if let due = nextDue, clock.now < due { return nil }
        return state.update { state in
            defer { state.next = nil }
            return state.next
        }
    }

    /// When the frame that waits is to be shown; nil for at once.
    private var nextDue: Timestamp? {
        guard let time = state.read({ $0.isPaced ? $0.next?.timestamp : nil }) else { return nil }
        let now = clock.now
        let begun = start ?? (time, now)
        let due = begun.clock.advanced(by: begun.frame.duration(to: time))
        // After a pause, and where times begin anew.
        let isApart = due.duration(to: now) > Self.pause || now.duration(to: due) > Self.pause
        start = isApart ? (time, now) : begun
        return isApart ? now : due
    }

    /// Waits until there is something to do.
    private func wait() {
        let now = clock.now
        var moments: [Timestamp] = []
        if surface == nil { moments.append(nextAttempt) }
        if let end { moments.append(end) }
        if let due = nextDue { moments.append(due) }
        let left = moments.min().map { max(0, now.duration(to: $0).nanoseconds) }
        let milliseconds = left.map { Int32(clamping: ($0 + 999_999) / 1_000_000) } ?? -1
        wake.wait(
            for: surface?.descriptor ?? -1, isWriting: surface?.hasOutput ?? false, milliseconds: milliseconds)
    }

    // MARK: Loss

    private func reopen() {
        guard clock.now >= nextAttempt else { return }
        nextAttempt = clock.now.advanced(by: Self.interval)
        do throws(DisplayError) { surface = try open() } catch { return }
        state.update { $0.statistics.error = nil }
        onEvent(.warning(sink: name, "the picture is shown again"))
    }

    private func lose(_ reason: String) {
        surface = nil
        nextAttempt = clock.now.advanced(by: Self.interval)
        let error = SinkError(name, "show the picture", .failed, reason)
        state.update { $0.statistics.error = error }
        onEvent(.warning(sink: name, "\(reason); it is tried again"))
    }

    private func fail() {
        surface = nil
        shown = nil
        let error = SinkError(name, "show the picture", .closedWindow, "its window was closed")
        state.update { state in
            if state.next != nil { state.statistics.drops[.disabled] += 1 }
            (state.next, state.isEnding) = (nil, true)
            state.statistics.error = error
        }
        onError(error)
        state.update { $0.isDone = true }
    }
}
