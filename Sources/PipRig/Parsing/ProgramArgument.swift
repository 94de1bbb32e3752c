internal import Glibc
internal import PipCompose

/// A parsed program with its arguments: `/usr/local/bin/alert --level 2`.
///
/// No shell sees the words, unless the program is one.
package struct ProgramArgument: Sendable, Equatable {
    /// The program's path or its name in `PATH`, and its arguments.
    let words: [String]
    /// The time after which the program is stopped.
    let limit: Duration

    /// Parses a command line.
    ///
    /// - Parameters:
    ///   - text: The words, with a shell's quotes.
    ///   - limit: The longest run; nil for the default.
    /// - Throws: ``UsageError`` for a text without a program or with an open quote, and for a limit of zero.
    init(_ text: String, limit: Duration?) throws(UsageError) {
        guard let words = ShellWord.words(of: text), words.first?.isEmpty == false else {
            throw UsageError("run: \(text): name a program and its arguments, and close each quote")
        }
        self.words = words
        self.limit = limit ?? .seconds(30)
        guard self.limit > .zero else { throw UsageError("limit must be above zero") }
    }

    /// The program's name for messages.
    package var label: String { words[0] }

    /// The reason why the program cannot be run; nil when it can.
    var obstacle: String? {
        if label.contains("/") {
            guard unsafe access(label, F_OK) == 0 else { return "there is no such program: \(systemMessage(errno))" }
            return Self.isProgram(label) ? nil : "it is no program, or may not be executed; to change that: chmod +x"
        }
        let path = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        let isThere = path.split(separator: ":").contains { Self.isProgram("\($0)/\(label)") }
        return isThere ? nil : "there is no such program in the folders of PATH"
    }

    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
}
