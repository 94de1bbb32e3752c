import Foundation
import PipRig

/// One of the process's standard streams.
struct Terminal: Sendable {
    private let descriptor: Int32

    static let standardOutput = Terminal(descriptor: STDOUT_FILENO)
    static let standardError = Terminal(descriptor: STDERR_FILENO)

    /// True when it is a terminal.
    var isInteractive: Bool { isatty(descriptor) == 1 }

    /// Columns of its window; nil when it has none.
    var columns: Int? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Writes text at once.
    ///
    /// Errors are ignored: there is nobody left to report them to.
    func write(_ text: String) { _ = writeAll(text, to: descriptor) }
}
