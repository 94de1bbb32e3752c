internal import Glibc

/// The displays of a machine, looked at without showing a picture.
public struct DisplaySurvey: Sendable {
    /// The desktop for windows.
    public enum Desktop: Sendable, Equatable {
        /// The name of the Wayland compositor or X server that would show windows.
        case found(String)
        /// The reason why no desktop shows windows, as a sentence without its full stop.
        case missing(String)
    }

    /// The desktop that would show windows.
    public let desktop: Desktop
    /// The machine's connectors for screens.
    public let connectors: [ScreenConnector]
    /// The devices of screens that cannot be opened.
    public let refused: [String]

    /// Connects to the desktop, and opens each device of screens for a moment.
    ///
    /// Blocks for some milliseconds, or for three seconds when a desktop does not answer.
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
