import ArgumentParser
import Logging
import PipRig

/// The format of log lines and events.
enum LogFormat: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
}

/// The options of messages.
struct ReportOptions: ParsableArguments {
    @Flag(help: "No progress and no summary; only errors.")
    var quiet = false

    @Flag(help: "Say more: what is opened, chosen and negotiated.")
    var verbose = false

    @Option(
        help: ArgumentHelp("How events and messages are written, one a line.", valueName: "text|json"))
    var logFormat = LogFormat.text

    func validate() throws {
        if quiet, verbose { throw ValidationError("--quiet and --verbose exclude each other") }
    }

    /// The lowest severity of logged messages.
    var level: Logger.Level { quiet ? .error : verbose ? .debug : .warning }
}
