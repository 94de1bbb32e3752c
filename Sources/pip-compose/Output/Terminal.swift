import Glibc
import PipRig

/// Standard output or standard error.
struct Terminal: Sendable {
    private let descriptor: Int32

    static let standardOutput = Terminal(descriptor: STDOUT_FILENO)
    static let standardError = Terminal(descriptor: STDERR_FILENO)

    /// True if the stream is connected to a terminal.
    var isInteractive: Bool { isatty(descriptor) == 1 }

    /// The width of the terminal in columns; nil if the stream is not a terminal.
    var columns: Int? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Writes text at once, without a buffer.
    ///
    /// Errors are ignored, because they cannot be reported anywhere else.
    func write(_ text: String) { _ = writeAll(text, to: descriptor) }
}
