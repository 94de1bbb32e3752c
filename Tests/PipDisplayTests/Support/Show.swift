import PipConcurrency
import PipDisplay
import PipFrames
import PipGraph
import PipPixels
import PipSinks
import PipTestSupport

/// A display on which a test shows pictures, with the events that the display reports.
final class Show: Sendable {
    /// The warnings and the error that the display has reported.
    struct Told: Equatable {
        var warnings: [String] = []
        var error: SinkError?
    }

    let runner: DisplayRunner
    private let told: Monitor<Told>
    private let clock = MonotonicClock()

    init(
        _ size: PixelSize, turns: Orientation = .identity, fit: FitMode = .fit, isPaced: Bool = false,
        _ open: @escaping DisplayRunner.Opening
    ) throws {
        let told = Monitor(Told())
        self.told = told
        let frame = QuarterPicture.frame(size)
        let output = DisplayRunner.Output("window:test", isPaced: isPaced) { event in
            if case .warning(_, let text) = event { told.update { $0.warnings.append(text) } }
        } onError: { error in
            told.update { $0.error = error }
        }
        runner = try DisplayRunner(
            output, frame.layout.size, PicturePainter(turns: turns, fit: fit), open: open)
    }

    /// Shows pictures in a window on an X server.
    convenience init(
        on server: XServer, _ size: PixelSize, title: String = "test", turns: Orientation = .identity,
        fit: FitMode = .fit, isFullscreen: Bool = false
    ) throws {
        let opening = WindowOpening(title: title, isFullscreen: isFullscreen, display: server.display) { _ in nil }
        try self.init(size, turns: turns, fit: fit, opening.open)
    }

    /// Shows pictures in a window on a Wayland compositor.
    convenience init(
        on server: WaylandServer, _ size: PixelSize, turns: Orientation = .identity, fit: FitMode = .fit,
        isFullscreen: Bool = false
    ) throws {
        let folder = server.folder
        let opening = WindowOpening(title: "test", isFullscreen: isFullscreen, display: nil) { name in
            ["XDG_RUNTIME_DIR": folder, "WAYLAND_DISPLAY": WaylandServer.name][name]
        }
        try self.init(size, turns: turns, fit: fit, opening.open)
    }

    /// The time at which a wait that begins now times out: 20 seconds from now.
    var limit: Timestamp { clock.now.advanced(by: .seconds(20)) }

    /// Submits a frame repeatedly until the display has taken `times` more frames, all but the last of which were
    /// shown.
    ///
    /// - Returns: True if the display has taken the frames before ``limit``.
    func show(_ frame: Frame, times: Int = 3) -> Bool {
        let goal = runner.statistics.written + times
        let limit = limit
        while clock.now < limit {
            let before = runner.statistics.written
            guard runner.submit(frame, until: limit) else { return false }
            _ = runner.wait(until: clock.now.advanced(by: .milliseconds(100))) { $0.written > before }
            if runner.statistics.written >= goal { return true }
        }
        return false
    }

    /// Waits until the reported events satisfy a condition.
    func wait(for condition: (Told) -> Bool) -> Bool {
        told.wait(until: limit) { condition($0) ? true : nil } ?? false
    }

    var warnings: [String] { told.read { $0.warnings } }

    var error: SinkError? { told.read { $0.error } }
}

extension ShownPicture {
    /// The colours at the centres of a rectangle's four quarters, row by row.
    func quarters(in rect: PixelRect) -> [Int] {
        [1, 3].flatMap { y in
            [1, 3].map { x in self[rect.x + rect.width * x / 4, rect.y + rect.height * y / 4] }
        }
    }
}
