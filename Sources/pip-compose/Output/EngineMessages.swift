import Logging
import PipRig

#if Media
import PipMedia

extension Console {
    /// Writes the messages of the media engine's libraries to the console from now on.
    func takeEngineMessages() {
        EngineLog.send { [self] message in
            write(
                message.sentence, message.logLevel, event: "engine",
                fields: [JSON.Member("domain", message.domain)])
        }
    }

    /// Writes warnings and errors of the engine's libraries to standard error, for commands without a console.
    static func takeEngineWarnings() {
        EngineLog.send { message in
            guard message.logLevel >= .warning else { return }
            let label = message.logLevel == .warning ? "warning" : "error"
            Terminal.standardError.write("\(label): \(message.sentence)\n")
        }
    }
}

extension EngineLog.Message {
    /// The message after the library's name; a repeated message also has its count.
    fileprivate var sentence: String { "\(domain): \(text)\(count > 1 ? " (\(count) times by now)" : "")" }

    /// The severity on the console: a library's error becomes a warning, because the program goes on.
    fileprivate var logLevel: Logger.Level {
        level == .error ? .warning : Logger.Level(rawValue: level.rawValue) ?? .warning
    }
}
#else
extension Console {
    /// Does nothing, because the program has no media engine without the trait Media.
    func takeEngineMessages() {}
    static func takeEngineWarnings() {}
}
#endif
