internal import Glibc

/// A window on a desktop, of Wayland or of X.
///
/// ```swift
/// picture --> Window("Both cameras")
/// ```
///
/// It shows the newest frame whenever the display takes one; frames that come faster are dropped and counted, and
/// nothing waits for it. Where cameras and streams give no time, as with files alone, each frame is shown at its own
/// time instead. A user who closes the window ends the output; a display that is lost is tried again once a second.
public struct Window: Sink {
    public let label: String
    private let window: WindowOpening
    private let turns: Orientation
    private let fit: FitMode

    /// - Parameters:
    ///   - title: The window's title.
    ///   - isFullscreen: True for the whole screen without a pointer. False for a window in the picture's size.
    ///   - fit: The fit into a window of another aspect ratio. The rest is black.
    ///   - turns: The rotation of the picture. Mirroring is left to effects.
    ///   - display: `:0` or `host:0` for an X server, `wayland-1` or a socket's path for a Wayland compositor; nil for
    ///     `WAYLAND_DISPLAY`, and without that `DISPLAY`.
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

    // As many windows as there is room for.
    public var destination: SinkDestination? { nil }

    public var opening: SinkOpening { .display(label, turns, fit, window.open) }
}
