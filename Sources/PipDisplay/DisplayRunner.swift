package import PipConcurrency
package import PipFrames
package import PipPixels
package import PipSinks

/// Shows frames on a display, on a new thread.
///
/// A display that is not paced never delays the threads that make frames: only the newest frame waits, and a frame
/// that is replaced is dropped and counted. The thread tries to reopen a lost display once a second. When the user
/// closes the window, the output ends.
package final class DisplayRunner: Sendable {
    /// A function that opens a window, or takes control of a screen, for pictures of a size.
    package typealias Opening = @Sendable (PixelSize) throws(DisplayError) -> sending any DisplaySurface

    /// The properties of the output that the display shows.
    package struct Output: Sendable {
        /// The output's name in messages.
        let name: String
        /// True when frames arrive as fast as they are taken, for example from files.
        ///
        /// Each frame then waits for the time of its timestamp, and ``DisplayRunner/submit(_:until:)`` waits until the
        /// display has taken the previous frame.
        let isPaced: Bool
        /// Called on the display's thread when the display is lost, and when it is available again.
        let onEvent: @Sendable (SinkEvent) -> Void
        /// Called on the display's thread, once, when the output ends because the user has closed the window.
        let onError: @Sendable (SinkError) -> Void

        package init(
            _ name: String, isPaced: Bool, onEvent: @escaping @Sendable (SinkEvent) -> Void,
            onError: @escaping @Sendable (SinkError) -> Void
        ) {
            self.name = name
            self.isPaced = isPaced
            self.onEvent = onEvent
            self.onError = onError
        }
    }

    private let output: Output
    private let loop: DisplayLoop

    /// The most frames that a display holds: the frame on display, which may be shown again, and the next frame.
    package static let heldFrames = 2

    /// Opens the display and starts the thread.
    ///
    /// - Parameters:
    ///   - output: The properties of the output.
    ///   - size: The size of the frames, which are RGBA.
    ///   - painter: Rotates the frames and fits them into the surface.
    ///   - clock: The clock by which callers wait until a deadline.
    ///   - open: Opens the display. Called at once on the calling thread, and on the display's thread after a loss.
    /// - Throws: ``SinkError`` when the display cannot be opened.
    package init(
        _ output: Output, _ size: PixelSize, _ painter: sending PicturePainter,
        clock: MonotonicClock = MonotonicClock(), open: @escaping Opening
    ) throws(SinkError) {
        let size = painter.size(of: size)
        let surface: any DisplaySurface
        do throws(DisplayError) { surface = try open(size) } catch {
            throw SinkError(output.name, "show the picture", .cannotCreate, error.reason)
        }
        let loop = DisplayLoop(output, surface, painter, clock) { () throws(DisplayError) in try open(size) }
        (self.output, self.loop) = (output, loop)
        _ = WorkerThread(name: "pip-display") { loop.run() }
    }

    // Without `finish(by:)`, the thread ends when the runner is released.
    deinit { close() }

    /// Hands a frame to the display's thread.
    ///
    /// - Parameters:
    ///   - frame: The frame.
    ///   - deadline: The end of the wait, on a paced display, until the display has taken the previous frame.
    /// - Returns: False when the previous frame was still waiting at the deadline; then `frame` was not taken. True
    ///   when the frame was taken, or was dropped because the output is ending.
    package func submit(_ frame: Frame, until deadline: Timestamp) -> Bool {
        let isTaken = loop.state.wait(until: deadline) { state -> Bool? in
            if state.isEnding {
                state.statistics.drops[.disabled] += 1
                return true
            }
            if state.next != nil {
                if output.isPaced { return nil }
                state.statistics.drops[.late] += 1
            }
            state.next = frame
            return true
        }
        loop.wake.raise()
        return isTaken ?? false
    }

    package var statistics: OutputStatistics { loop.state.read { $0.statistics } }

    /// Blocks until the statistics satisfy a condition.
    ///
    /// - Parameters:
    ///   - deadline: The end of the wait.
    ///   - condition: The condition, evaluated now and after every change.
    /// - Returns: True when the condition became true before the deadline.
    package func wait(until deadline: Timestamp, for condition: (OutputStatistics) -> Bool) -> Bool {
        loop.state.wait(until: deadline) { condition($0.statistics) ? true : nil } ?? false
    }

    /// Ends the output after the waiting frame, and closes the window or releases the screen.
    ///
    /// - Returns: True when the output has ended by the deadline.
    package func finish(by deadline: Timestamp) async -> Bool {
        close()
        return await withCheckedContinuation { continuation in
            _ = WorkerThread(name: "pip-display-end") { [loop] in
                let isDone = loop.state.wait(until: deadline) { $0.isDone ? true : nil }
                continuation.resume(returning: isDone ?? false)
            }
        }
    }

    private func close() {
        loop.state.update { $0.isEnding = true }
        loop.wake.raise()
    }
}
