#if Media
internal import CGStreamer
internal import Glibc
internal import Synchronization

/// The messages that GStreamer, GLib and plug-ins write by GLib's functions for that, to the standard error by default.
///
/// A program that has a log of its own takes them:
///
/// ```swift
/// EngineLog.send { message in logger.warning("\(message.domain): \(message.text)") }
/// ```
///
/// The handler belongs to the process, so that nothing is taken until a program asks for it. Messages that are fatal,
/// as `G_DEBUG=fatal-criticals` makes them, are written to the standard error, too, before GLib ends the process.
public enum EngineLog {
    /// The importance of a message, named as in swift-log.
    public enum Level: String, Sendable, CaseIterable {
        case debug
        case info
        case notice
        case warning
        /// A mistake in the use of a library, which goes on.
        case error
        /// The end of the process.
        case critical
    }

    /// A message, at its first time and at every tenth, hundredth, thousandth.
    public struct Message: Sendable, Equatable {
        /// The importance.
        public let level: Level
        /// The library, such as `GStreamer` or `GLib-GObject`; `engine` where it does not say.
        public let domain: String
        /// The text, without the end of its line.
        public let text: String
        /// The times that it has come so far, with whatever numbers and addresses in it.
        public let count: Int
    }

    /// Takes all messages from now on.
    ///
    /// - Parameter receiver: Called on any thread, which it must not block, and not by itself again: it must not use
    ///   the engine. Nil gives messages back to the standard error.
    public static func send(to receiver: (@Sendable (Message) -> Void)?) {
        let isTaken = log.withLock { log in
            defer { log.receiver = receiver }
            return log.receiver != nil
        }
        guard isTaken != (receiver != nil) else { return }
        if receiver != nil {
            unsafe g_log_set_default_handler(logged, nil)
            unsafe g_set_printerr_handler(printed)
        } else {
            unsafe g_log_set_default_handler(g_log_default_handler, nil)
            unsafe g_set_printerr_handler(nil)
        }
    }
}

/// The messages so far, and who is told of them.
struct MessageCounts {
    /// Different texts that are told apart.
    static let mostTexts = 64
    private static let longestText = 2000
    private static let rest = "further messages are left out"

    var receiver: (@Sendable (EngineLog.Message) -> Void)?
    private var counts: [String: Int] = [:]

    /// Counts a message.
    ///
    /// - Returns: The message, when it is one to be told.
    mutating func count(_ level: EngineLog.Level, _ domain: String, _ text: String) -> EngineLog.Message? {
        var text = String(text.prefix(Self.longestText))
        while text.last?.isNewline == true { text.removeLast() }
        guard !text.isEmpty else { return nil }
        var key = "\(level) \(domain) \(Self.withoutNumbers(text))"
        if counts[key] == nil, counts.count >= Self.mostTexts { (key, text) = ("", Self.rest) }
        let count = (counts[key] ?? 0) + 1
        counts[key] = count
        guard Self.isPowerOfTen(count) else { return nil }
        return EngineLog.Message(level: level, domain: domain, text: text, count: count)
    }

    private static func isPowerOfTen(_ number: Int) -> Bool {
        var left = number
        while left > 1, left % 10 == 0 { left /= 10 }
        return left == 1
    }

    /// A text whose numbers and addresses, which differ from one time to the next, are one sign each.
    private static func withoutNumbers(_ text: String) -> String {
        var (result, left) = ("", text[...])
        while let first = left.first {
            if left.hasPrefix("0x") {
                left = left.dropFirst(2).drop(while: \.isHexDigit)
                result += "#"
            } else if first.isNumber {
                left = left.drop(while: \.isNumber)
                result += "#"
            } else {
                result.append(left.removeFirst())
            }
        }
        return result
    }
}

private let log = Mutex(MessageCounts())

/// Tells a message; its receiver is called without the lock.
private func tell(_ level: EngineLog.Level, _ domain: String, _ text: String) {
    let told = log.withLock { log in
        log.count(level, domain, text).flatMap { message in log.receiver.map { ($0, message) } }
    }
    if let (receiver, message) = told { receiver(message) }
}

// Functions of the file: called on the engine's threads, they belong to no actor.

private func logged(
    _ domain: UnsafePointer<gchar>?, _ flags: GLogLevelFlags, _ text: UnsafePointer<gchar>?, _ context: gpointer?
) {
    // Those that GLib itself would not write: details that nobody has asked for by G_MESSAGES_DEBUG.
    guard unsafe g_log_writer_default_would_drop(flags, domain) == 0 else { return }
    let level: EngineLog.Level =
        if flags.rawValue & G_LOG_LEVEL_ERROR.rawValue != 0 {
            .critical
        } else if flags.rawValue & G_LOG_LEVEL_CRITICAL.rawValue != 0 {
            .error
        } else if flags.rawValue & G_LOG_LEVEL_WARNING.rawValue != 0 {
            .warning
        } else if flags.rawValue & G_LOG_LEVEL_MESSAGE.rawValue != 0 {
            .notice
        } else if flags.rawValue & G_LOG_LEVEL_INFO.rawValue != 0 {
            .info
        } else {
            .debug
        }
    let (name, words) = unsafe (domain.map { unsafe String(cString: $0) }, text.map { unsafe String(cString: $0) })
    tell(level, name ?? "engine", words ?? "")
    guard flags.rawValue & G_LOG_FLAG_FATAL.rawValue != 0 else { return }
    // GLib stops at a breakpoint, after which a handler of the signal may let the process go on.
    unsafe g_log_default_handler(domain, flags, text, nil)
    abort()
}

private func printed(_ text: UnsafePointer<gchar>?) {
    tell(.notice, "engine", unsafe text.map { unsafe String(cString: $0) } ?? "")
}
#endif
