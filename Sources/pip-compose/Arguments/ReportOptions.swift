import ArgumentParser
import Logging
import PipRig

/// `--log-format`: the format of messages and events.
enum LogFormat: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
}

/// The options for messages: their amount and their format.
struct ReportOptions: ParsableArguments {
    @Flag(help: "No progress and no summary; only errors.")
    var quiet = false

    @Flag(help: "Say more: what is opened, chosen and negotiated.")
    var verbose = false

    @Option(
        help: ArgumentHelp("The format of events and messages, one a line.", valueName: "text|json"))
    var logFormat = LogFormat.text

    func validate() throws {
        if quiet, verbose { throw ValidationError("--quiet and --verbose exclude each other: give one") }
    }

    /// The lowest severity of messages that are shown.
    var level: Logger.Level { quiet ? .error : verbose ? .debug : .warning }
}
