import PipConcurrency
import PipDisplay
import PipFrames
import PipGraph
import PipPixels
import PipSinks
import PipTestSupport

/// A display that a test shows pictures on, with what it tells.
final class Show: Sendable {
    /// What it has told.
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
        runner = try DisplayRunner(
            "window:test", frame.info, PicturePainter(turns: turns, fit: fit), isPaced: isPaced, open: open
        ) { event in
            if case .warning(_, let text) = event { told.update { $0.warnings.append(text) } }
        } onError: { error in
            told.update { $0.error = error }
        }
    }

    /// A window on an X server.
    convenience init(
        on server: XServer, _ size: PixelSize, title: String = "test", turns: Orientation = .identity,
        fit: FitMode = .fit, isFullscreen: Bool = false
    ) throws {
        let opening = WindowOpening(title: title, isFullscreen: isFullscreen, display: server.display) { _ in nil }
        try self.init(size, turns: turns, fit: fit, opening.open)
    }

    /// A window on a Wayland compositor.
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

    /// A moment by which whatever is waited for has come about.
    var limit: Timestamp { clock.now.advanced(by: .seconds(20)) }

    /// Shows a picture again and again until some were taken; what was taken before the last one is shown.
    ///
    /// - Returns: True when they were.
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

    /// Waits for what is told.
    func wait(for condition: (Told) -> Bool) -> Bool {
        told.wait(until: limit) { condition($0) ? true : nil } ?? false
    }

    var warnings: [String] { told.read { $0.warnings } }

    var error: SinkError? { told.read { $0.error } }
}
