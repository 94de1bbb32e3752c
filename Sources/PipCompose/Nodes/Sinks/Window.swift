internal import Glibc

/// A window on a Wayland or X11 desktop.
///
/// ```swift
/// picture --> Window("Both cameras")
/// ```
///
/// The window shows the newest frame whenever the display takes one. Frames that come faster are dropped and counted; a
/// live session never waits for the window. A session that runs as fast as files allow shows each frame at its
/// timestamp instead, and waits for the window.
///
/// When the user closes the window, the output ends. When the display is lost, the output tries to open it again once a
/// second.
public struct Window: Sink {
    public let label: String
    private let window: WindowOpening
    private let turns: Orientation
    private let fit: FitMode

    /// - Parameters:
    ///   - title: The window's title.
    ///   - isFullscreen: True to cover the whole screen and hide the pointer; false to open a window of the picture's
    ///     size.
    ///   - fit: The fit into a window of another aspect ratio. The uncovered part of the window is black.
    ///   - turns: The rotation of the picture; a mirrored orientation is refused.
    ///   - display: `:0` or `host:0` for an X server, `wayland-1` or a socket's path for a Wayland compositor. Nil
    ///     or an empty text takes `WAYLAND_DISPLAY`, or else `DISPLAY`.
    public init(
        _ title: String = "pip-compose", isFullscreen: Bool = false, fit: FitMode = .fit,
        turns: Orientation = .identity, display: String? = nil
    ) {
        label = "window:\(title)"
        self.turns = turns
        self.fit = fit
        window = WindowOpening(title: title, isFullscreen: isFullscreen, display: display) { name in
            unsafe getenv(name).map { unsafe String(cString: $0) }
        }
    }

    // Nil: several windows may be open at once, even with one title.
    public var destination: SinkDestination? { nil }

    public var opening: SinkOpening { .display(label, turns, fit, window.open) }
}
