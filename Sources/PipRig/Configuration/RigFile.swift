package import PipCompose
internal import Yams

/// A composition as a file says it, with how it runs.
///
/// ```yaml
/// cameras:
///   road: {source: camera:C920, size: 1280x720}
///   driver: {source: camera:1, mirror: true, when-missing: slate}
/// scenes:
///   drive: {main: road, insets: [{of: driver, at: top-right, width: 25%}]}
/// effects: {road: [{vignette: 0.4}]}
/// outputs:
///   - {to: drive.mp4, segment: 3m}
/// ```
public struct RigFile: Sendable {
    /// The composition.
    package var rig = Rig()
    /// The response to heat, power and load.
    package var pressure = PressureWish()
    /// The panel; nil for none.
    package var panel: PanelWish?
    /// How long it runs, and how it starts.
    package var run = RunWish()
    /// How events are written.
    package var log = LogWish()

    /// The response to heat, power and load.
    package struct PressureWish: Sendable {
        package var policy = PressurePolicy.balanced
        /// The file that the policy was read from; nil for a preset.
        package var policyPath: String?
        package var pinned: PressureLevel?
        package var waits = false
        package var root = "/"

        /// The usual response.
        package init() {}

        /// The options of a session.
        package var options: PressureOptions {
            var options = PressureOptions()
            options.policy = waits ? policy.waitingAtShutdown : policy
            (options.pinned, options.root) = (pinned, root)
            return options
        }
    }

    /// Where the panel listens, and who may use it.
    package struct PanelWish: Sendable, Equatable {
        /// `[ADDRESS:]PORT` or `unix:PATH`.
        package var listen: String
        /// The token as it was written, with `${…}` in it.
        package var token: String?
        /// The folder below which outputs may be made; nil allows none.
        package var root: String?
        /// Names by which it is reached beside its address.
        package var hosts: [String] = []
        /// Origins of other pages that may use it.
        package var origins: [String] = []

        /// A panel by its address.
        package init(_ listen: String) { self.listen = listen }
    }

    /// How long it runs, and how it starts.
    package struct RunWish: Sendable, Equatable {
        package var duration: Duration?
        package var frames: Int?
        package var requiresCameras = false
        /// True when frames are made in real time, also where nobody looks.
        package var isRealTime = false
        /// A path for the statistics; nil for none.
        package var statistics: String?

        /// Without an end.
        package init() {}
    }

    /// How events are written.
    package struct LogWish: Sendable, Equatable {
        /// `text` or `json`; nil leaves it to the command.
        package var format: String?
        /// `quiet` or `verbose`; nil is between both.
        package var level: String?

        /// As the command says.
        package init() {}
    }

    /// A file that says nothing yet.
    package init() {}

    /// Reads a file.
    ///
    /// - Throws: ``ConfigurationError`` with file and line.
    public init(path: String) throws(ConfigurationError) { self = try RigFileReader(path: path).read() }

    /// Reads what a file says; messages call it by its `path`.
    public init(_ text: String, path: String) throws(ConfigurationError) {
        self = try RigFileReader(text, path: path).read()
    }
}
