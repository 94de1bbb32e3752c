internal import Glibc

/// What a machine can show pictures on, for whoever asks before showing any.
public struct DisplaySurvey: Sendable {
    /// Whether there is a desktop.
    public enum Desktop: Sendable, Equatable {
        /// A Wayland compositor or an X server, with its name.
        case found(String)
        /// Why there is none that we may use, as a sentence without its full stop.
        case missing(String)
    }

    /// The desktop that windows would be shown on.
    public let desktop: Desktop
    /// The places where screens are connected, or can be.
    public let connectors: [ScreenConnector]
    /// Devices of screens that cannot be opened.
    public let refused: [String]

    /// Asks the desktop, and opens each device of screens for a moment.
    ///
    /// Blocks for some milliseconds; for three seconds where a desktop does not answer.
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
