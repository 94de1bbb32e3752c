package import PipCompose

/// A configuration file: a composition and the settings of its run.
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
    /// The composition that the file describes.
    package var rig = Rig()
    /// The settings of the response to heat, power and load.
    package var pressure = PressureSettings()
    /// The settings of the panel; nil for no panel.
    package var panel: PanelSettings?
    /// The MQTT broker that the composition reports to; nil for none.
    package var broker: BrokerArgument?
    /// The length of the run, and the conditions of its start.
    package var run = RunSettings()
    /// The format and the verbosity of events.
    package var log = LogSettings()
    /// Remarks for the user on effects that other libraries define differently.
    package var remarks: [String] = []

    /// The settings of the response to heat, power and load.
    package struct PressureSettings: Sendable {
        package var policy = PressurePolicy.balanced
        /// The path of the policy's file; nil when the policy is a preset or part of the configuration.
        package var policyPath: String?
        package var pinned: PressureLevel?
        package var waits = false
        package var root = "/"

        /// Creates the default settings.
        package init() {}

        /// The settings as pressure options of a session.
        package var options: PressureOptions {
            var options = PressureOptions()
            options.policy = waits ? policy.waitingAtShutdown : policy
            (options.pinned, options.root) = (pinned, root)
            return options
        }
    }

    /// The panel's address, and the permissions of its clients.
    package struct PanelSettings: Sendable, Equatable {
        /// The address on which the panel listens, as `[ADDRESS:]PORT` or `unix:PATH`.
        package var listen: String
        /// The token as the user wrote it, with unresolved references such as `${NAME}`.
        package var token: String?
        /// The folder in which clients may create files; nil allows no files.
        package var root: String?
        /// Further host names by which clients reach the panel.
        package var hosts: [String] = []
        /// The origins of other web pages that may use the panel.
        package var origins: [String] = []
        /// The folder of the recordings that clients may find and play, and its option: `FOLDER?changes=off`; nil for
        /// none.
        package var recordings: String?

        /// Creates settings with an address and no permissions.
        package init(_ listen: String) { self.listen = listen }
    }

    /// The length of the run, and the conditions of its start.
    package struct RunSettings: Sendable, Equatable {
        package var duration: Duration?
        package var frames: Int?
        package var requiresCameras = false
        /// True to pace frames in real time even when all inputs and outputs are files.
        package var isRealTime = false
        /// The path of the statistics file; nil writes none.
        package var statistics: String?

        /// Creates settings for a run without a time limit.
        package init() {}
    }

    /// The format and the verbosity of events.
    package struct LogSettings: Sendable, Equatable {
        /// `text` or `json`; nil keeps the command's choice.
        package var format: String?
        /// `quiet`, `normal` or `verbose`; nil keeps the command's choice.
        package var level: String?

        /// Creates settings that keep the command's choices.
        package init() {}
    }

    /// Creates a configuration without cameras, with default settings.
    package init() {}

    /// Reads and checks the configuration file at `path`.
    ///
    /// - Throws: ``ConfigurationError`` with the file and the line of the mistake.
    public init(path: String) throws(ConfigurationError) { self = try RigFileReader(path: path).read() }

    /// Parses and checks the text of a configuration.
    ///
    /// - Parameters:
    ///   - text: The YAML text.
    ///   - path: The file's path, for messages.
    /// - Throws: ``ConfigurationError`` with the file and the line of the mistake.
    public init(_ text: String, path: String) throws(ConfigurationError) {
        self = try RigFileReader(text, path: path).read()
    }
}
