import ArgumentParser
import PipRig
import PipSources

/// Rewrites error messages of the argument parser in the style of the program's own messages.
enum ParserMessage {
    /// Returns `--size 3x3: …` for `The value '3x3' is invalid for '--size <WxH>': 3x3: …`.
    ///
    /// Returns `unknown command …`, with a hint, for an unexpected argument. Returns messages of other forms unchanged.
    static func short(_ message: String) -> String {
        let invalid = /(?s)The value '(.*?)' is invalid for '(--[a-z-]+)[^']*'[.:] (.*)/
        if let match = try? invalid.wholeMatch(in: message) {
            // The value may contain passwords, so it is masked.
            let typed = String(match.1)
            let (option, reason) = (match.2, match.3)
            let value = shown(typed, of: String(option))
            if reason.hasPrefix("\(value): ") { return "\(option) \(reason)" }
            // A reason that names the path needs no repetition of the value.
            let path = reason.split(separator: ": ").first { $0.contains("/") && !$0.contains(" ") }
            if let path, value.contains(path) { return "\(option): \(reason)" }
            return reason.contains(value) ? "\(option): \(reason)" : "\(option) \(value): \(reason)"
        }
        if let match = try? /Unexpected argument '([^']*)'/.wholeMatch(in: message) {
            let names = RootCommand.configuration.subcommands.map { $0.configuration.commandName ?? "" }
            let near = NearestName.suggestion(for: String(match.1), among: names)
            return "unknown command \(match.1)\(near ?? "; see `pip-compose --help`")"
        }
        return message
    }

    /// An option's value without passwords and keys.
    private static func shown(_ value: String, of option: String) -> String {
        if option == "--on" { return TriggerArgument.shown(value) }
        return value.hasPrefix("gst:") ? SourceElements(value).shown : SourceAddress.hiding(in: value)
    }
}
