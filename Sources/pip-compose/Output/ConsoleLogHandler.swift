import Logging
import PipCompose
import PipRig

/// Writes log messages of the library to the console.
struct ConsoleLogHandler: LogHandler {
    let console: Console
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    init(_ console: Console, level: Logger.Level) {
        self.console = console
        logLevel = level
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        guard !isReportedAsEvent(event) else { return }
        console.write(event.message.description, event.level)
    }

    /// True for messages about cameras that the session also reports as events, so that the user sees them once.
    private func isReportedAsEvent(_ event: LogEvent) -> Bool {
        guard event.source == "PipCapture" else { return false }
        let quiet: [CameraEvent] = [.started, .resumed, .disabled, .enabled]
        return event.level >= .warning || quiet.contains { event.message.description.hasSuffix(": \($0)") }
    }
}
