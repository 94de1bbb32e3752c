import FoundationEssentials
import Glibc
import Logging
import PipRig
import Synchronization

/// Writes messages to standard error, and keeps a progress line below them on a terminal.
final class Console: Sendable {
    private let terminal: Terminal
    private let format: LogFormat
    private let level: Logger.Level
    /// The progress line on the screen; nil while there is none.
    private let progress = Mutex<String?>(nil)
    private let reported = Mutex<Set<String>>([])
    /// True on a terminal with log format `text`, unless `--quiet` is set.
    let showsProgress: Bool

    init(_ options: ReportOptions, terminal: Terminal = .standardError) {
        self.terminal = terminal
        format = options.logFormat
        level = options.level
        showsProgress = !options.quiet && options.logFormat == .text && terminal.isInteractive
    }

    /// Writes a message, unless its severity is below the console's level.
    ///
    /// In the JSON format, the line also has the event's name and the fields.
    func write(_ message: String, _ level: Logger.Level, event: String? = nil, fields: [JSON.Member] = []) {
        guard level >= self.level else { return }
        switch format {
        case .text:
            let label: String? =
                switch level {
                case .error, .critical: "error"
                case .warning: "warning"
                case .notice, .info, .debug, .trace: nil
                }
            line(label.map { "\($0): \(message)" } ?? message)
        case .json:
            var line = JSON.object(["time": Self.now, "level": level.rawValue])
            if let event { line.add("event", event) }
            line.add("message", message)
            for field in fields { line.add(field.key, field.value) }
            self.line(line.line)
        }
    }

    /// Writes an error, unless the same error was written before.
    func writeError(_ message: String, event: String? = nil) {
        guard reported.withLock({ $0.insert(message).inserted }) else { return }
        write(message, .error, event: event)
    }

    /// Writes remarks on effects that other libraries define differently.
    func warn(_ remarks: [String]) {
        for remark in remarks { write(remark, .warning, event: "effect-differs") }
    }

    /// Writes text for users; does nothing in the JSON format and with `--quiet`.
    func writePlain(_ text: String) {
        guard format == .text, level < .error else { return }
        line(text)
    }

    /// Shows a progress line in place of the previous progress line.
    func showProgress(_ text: String) {
        guard showsProgress else { return }
        let width = max(20, (terminal.columns ?? 80) - 1)
        progress.withLock { shown in
            let cut = String(text.prefix(width))
            terminal.write("\r\(cut)\u{1b}[K")
            shown = cut
        }
    }

    /// Removes the progress line from the screen.
    func endProgress() {
        progress.withLock { shown in
            if shown != nil { terminal.write("\r\u{1b}[K") }
            shown = nil
        }
    }

    private func line(_ text: String) {
        progress.withLock { shown in
            guard let below = shown else { return terminal.write(text + "\n") }
            terminal.write("\r\u{1b}[K\(text)\n\(below)")
        }
    }

    /// Makes a logger that writes to this console.
    func logger(_ level: Logger.Level) -> Logger {
        var logger = Logger(label: "pip-compose") { _ in ConsoleLogHandler(self, level: level) }
        logger.logLevel = level
        return logger
    }

    private static var now: String {
        Date.now.formatted(
            .iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted))
    }
}
