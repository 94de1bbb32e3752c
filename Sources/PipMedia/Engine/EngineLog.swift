#if Media
internal import CGStreamer
internal import Glibc
internal import Synchronization

/// The messages that GStreamer, GLib and plug-ins write with GLib's logging functions, which GLib prints by default.
///
/// A program with its own log receives the messages like this:
///
/// ```swift
/// EngineLog.send { message in logger.warning("\(message.domain): \(message.text)") }
/// ```
///
/// The handler belongs to the whole process, so the library installs none until a program calls ``send(to:)``. Fatal
/// messages, as `G_DEBUG=fatal-criticals` makes them, also go to standard error before the process ends.
public enum EngineLog {
    /// The importance of a message, named as in swift-log.
    public enum Level: String, Sendable, CaseIterable {
        case debug
        case info
        case notice
        case warning
        /// A mistake in the use of a library, after which the library continues.
        case error
        /// A mistake after which the process ends.
        case critical
    }

    /// A message, which is sent at its first, tenth, hundredth and thousandth occurrence, and so on.
    public struct Message: Sendable, Equatable {
        /// The importance of the message: GLib's log level, or `notice` for a text that `g_printerr` would print.
        public let level: Level
        /// The library's log domain, such as `GStreamer` or `GLib-GObject`; `engine` for a message without a domain.
        public let domain: String
        /// The text without newlines at its end, cut after 2000 characters.
        public let text: String
        /// The number of occurrences so far, where messages that differ only in numbers and addresses are the same.
        public let count: Int
    }

    /// Sends messages to a function from now on, each at the occurrences that ``Message`` states.
    ///
    /// - Parameter receiver: Receives each message. Thread: any. The function must not block, and must not call
    ///   GStreamer. Nil lets GLib print messages again.
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

/// The counts of the messages so far, and the receiver.
struct MessageCounts {
    /// The largest number of different texts to count.
    static let mostTexts = 64
    private static let longestText = 2000
    private static let rest = "further messages are left out"

    var receiver: (@Sendable (EngineLog.Message) -> Void)?
    private var counts: [String: Int] = [:]

    /// Counts a message.
    ///
    /// - Returns: The message when the receiver should get it; nil for an empty text, and for a repetition to leave
    ///   out.
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

    /// The text with each number and each address replaced by `#`, because they differ between occurrences.
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

/// Counts a message, and sends it to the receiver outside the lock.
private func tell(_ level: EngineLog.Level, _ domain: String, _ text: String) {
    let told = log.withLock { log in
        log.count(level, domain, text).flatMap { message in log.receiver.map { ($0, message) } }
    }
    if let (receiver, message) = told { receiver(message) }
}

// Global functions, because GStreamer's threads call them, and they may belong to no actor.

private func logged(
    _ domain: UnsafePointer<gchar>?, _ flags: GLogLevelFlags, _ text: UnsafePointer<gchar>?, _ context: gpointer?
) {
    // GLib itself drops details that G_MESSAGES_DEBUG does not request.
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
    // `g_log_default_handler` ends in a breakpoint trap, after which a signal handler may let the process go on.
    unsafe g_log_default_handler(domain, flags, text, nil)
    abort()
}

private func printed(_ text: UnsafePointer<gchar>?) {
    tell(.notice, "engine", unsafe text.map { unsafe String(cString: $0) } ?? "")
}
#endif
