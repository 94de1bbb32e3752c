/// A whole screen without a desktop, as in a kiosk, driven by the kernel's mode setting (KMS).
///
/// ```swift
/// picture --> Screen("HDMI-A-1")
/// ```
///
/// The screen keeps its preferred mode, and shows the newest frame at each refresh. Frames that come faster are dropped
/// and counted; a live session never waits for the screen. A session that runs as fast as files allow shows each frame
/// at its timestamp instead, and waits for the screen.
///
/// When another program, such as a desktop, takes the screen, the output tries to reopen it once a second.
public struct Screen: Sink {
    public let label: String
    private let name: ScreenName
    private let turns: Orientation
    private let fit: FitMode

    /// - Parameters:
    ///   - name: The connector, such as `HDMI-A-1`, the device, such as `/dev/dri/card1`, or both:
    ///     `/dev/dri/card1:HDMI-A-1`. An empty name takes the first connected screen.
    ///   - fit: The fit into a screen of another aspect ratio. The uncovered part of the screen is black.
    ///   - turns: The rotation of the picture, for a screen that stands on its side; a mirrored orientation is refused.
    public init(_ name: String = "", fit: FitMode = .fit, turns: Orientation = .identity) {
        label = "kms:\(name)"
        self.name = ScreenName(name)
        self.turns = turns
        self.fit = fit
    }

    public var destination: SinkDestination? { .path(label) }

    public var opening: SinkOpening {
        .display(label, turns, fit) { [name] _ throws(DisplayError) in try ScreenSurface(name) }
    }
}
