internal import Glibc

/// The displays of this machine, found without showing a picture.
public struct DisplaySurvey: Sendable {
    /// The desktop that would show windows.
    public enum Desktop: Sendable, Equatable {
        /// The name of the Wayland compositor or X server, for messages.
        case found(String)
        /// The reason why no desktop can show windows, as a sentence without its full stop.
        case missing(String)
    }

    /// The desktop that would show windows.
    public let desktop: Desktop
    /// The machine's connectors for screens.
    public let connectors: [ScreenConnector]
    /// The paths of display devices (`/dev/dri/card*`) that cannot be opened or read.
    public let refused: [String]

    /// Connects to the desktop, and opens each device that drives screens for a moment.
    ///
    /// Blocks for some milliseconds, or for some seconds when a desktop does not answer.
    public init() {
        self.init(ScreenDirectory()) { name in unsafe getenv(name).map { unsafe String(cString: $0) } }
    }

    package init(_ directory: ScreenDirectory, _ environment: @escaping @Sendable (String) -> String?) {
        let opening = WindowOpening(title: "", isFullscreen: false, display: nil, environment: environment)
        do throws(DisplayError) { desktop = .found(try opening.find()) } catch { desktop = .missing(error.reason) }
        let (found, refused) = directory.connectors()
        connectors = found
        self.refused = refused.map(\.device)
    }
}
