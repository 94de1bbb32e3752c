import Foundation
import PipRig

/// A standard stream of the process.
struct Terminal: Sendable {
    private let descriptor: Int32

    static let standardOutput = Terminal(descriptor: STDOUT_FILENO)
    static let standardError = Terminal(descriptor: STDERR_FILENO)

    /// True when the stream is a terminal.
    var isInteractive: Bool { isatty(descriptor) == 1 }

    /// The width of the terminal, in columns; nil for a stream that is no terminal.
    var columns: Int? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Writes text without a buffer.
    ///
    /// Ignores errors, because there is no other place to report them.
    func write(_ text: String) { _ = writeAll(text, to: descriptor) }
}
