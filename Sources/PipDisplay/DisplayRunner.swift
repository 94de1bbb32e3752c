package import PipConcurrency
package import PipFrames
package import PipPixels
package import PipSinks

/// Shows frames on a display, on a thread of its own.
///
/// A display never holds up whoever makes the frames: the newest frame waits alone, and one that it takes the place of
/// is dropped and counted. A display that is lost is tried again once a second; a window that its user has closed ends
/// the output.
package final class DisplayRunner: Sendable {
    /// Makes the window or takes the screen, for frames of a size.
    package typealias Opening = @Sendable (PixelSize) throws(DisplayError) -> sending any DisplaySurface

    private let state: Monitor<DisplayLoop.State>
    private let wake: DisplayWake
    private let clock: MonotonicClock

    /// Frames that it keeps while it shows them: the one shown, to show it again, and the one that is painted.
    package static let heldFrames = 2

    /// Opens the display and starts the thread.
    ///
    /// - Parameters:
    ///   - name: The output's name in messages.
    ///   - info: What all frames share: RGBA.
    ///   - painter: How frames are turned and fitted.
    ///   - isPaced: True where frames come as fast as they are taken, and not when they are to be seen: each then waits
    ///     for its moment, and whoever makes them for it.
    ///   - clock: The clock of deadlines.
    ///   - open: Opens the display, now and after it was lost.
    ///   - onEvent: Called on the thread when the display is lost, and when it is back.
    ///   - onError: Called once, on the thread, when the output ends early.
    /// - Throws: ``SinkError`` when there is no display.
    package init(
        _ name: String, _ info: FrameInfo, _ painter: sending PicturePainter, isPaced: Bool,
        clock: MonotonicClock = MonotonicClock(), open: @escaping Opening,
        onEvent: @escaping @Sendable (SinkEvent) -> Void, onError: @escaping @Sendable (SinkError) -> Void
    ) throws(SinkError) {
        let size = painter.size(of: info.layout.size)
        let surface: any DisplaySurface
        do throws(DisplayError) { surface = try open(size) } catch {
            throw SinkError(name, "show the picture", .cannotCreate, error.reason)
        }
        self.clock = clock
        let state = Monitor(DisplayLoop.State(statistics: OutputStatistics(name: name), isPaced: isPaced), clock: clock)
        let wake = DisplayWake()
        (self.state, self.wake) = (state, wake)
        let loop = DisplayLoop(
            name, surface, painter, state, wake, open: { () throws(DisplayError) in try open(size) }, onEvent: onEvent,
            onError: onError)
        _ = WorkerThread(name: "pip-display") { loop.run() }
    }

    // Without `finish(by:)` it ends, too.
    deinit { close() }

    /// Gives it a frame.
    ///
    /// - Parameters:
    ///   - frame: The frame.
    ///   - deadline: How long a paced display may wait until it takes the frame.
    /// - Returns: False when a paced display has not taken it until then.
    package func submit(_ frame: Frame, until deadline: Timestamp) -> Bool {
        let isTaken = state.wait(until: deadline) { state -> Bool? in
            if state.isEnding {
                state.statistics.drops[.disabled] += 1
                return true
            }
            if state.next != nil {
                if state.isPaced { return nil }
                state.statistics.drops[.late] += 1
            }
            state.next = frame
            return true
        }
        wake.raise()
        return isTaken ?? false
    }

    package var statistics: OutputStatistics { state.read { $0.statistics } }

    /// Blocks until what it has shown satisfies a condition.
    ///
    /// - Parameters:
    ///   - deadline: When to give up.
    ///   - condition: Asked again after every change.
    /// - Returns: True when it came about in time.
    package func wait(until deadline: Timestamp, for condition: (OutputStatistics) -> Bool) -> Bool {
        state.wait(until: deadline) { condition($0.statistics) ? true : nil } ?? false
    }

    /// Ends it after the frame that waits, and closes the window or gives the screen back.
    ///
    /// - Returns: True when it has ended by the deadline.
    package func finish(by deadline: Timestamp) async -> Bool {
        close()
        return await withCheckedContinuation { continuation in
            _ = WorkerThread(name: "pip-display-end") { [state] in
                continuation.resume(returning: state.wait(until: deadline) { $0.isDone ? true : nil } ?? false)
            }
        }
    }

    private func close() {
        state.update { $0.isEnding = true }
        wake.raise()
    }
}
