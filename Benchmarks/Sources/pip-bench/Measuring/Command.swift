/// A command line with its environment variables.
struct Command: Sendable, Equatable {
    /// The program, which is looked up in `PATH`, followed by its arguments.
    var words: [String]
    /// The environment variables that are added to those of this process.
    var environment: [String: String] = [:]

    init(_ words: [String], environment: [String: String] = [:]) {
        self.words = words
        self.environment = environment
    }

    /// The command with its variables, quoted for a shell.
    var shellText: String {
        let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.quoted($0.value))" }
        return (variables + words.map(Self.quoted)).joined(separator: " ")
    }

    private static func quoted(_ word: String) -> String {
        let isPlain = !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber || "-_./:=,+@%".contains($0) }
        return isPlain
            ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

/// A command that could not be run, or failed.
struct CommandError: Error, CustomStringConvertible {
    let command: Command
    let reason: String
    var description: String { "\(command.shellText): \(reason)" }
}
