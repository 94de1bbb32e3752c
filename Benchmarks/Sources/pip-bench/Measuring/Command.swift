/// A command with its environment variables.
struct Command: Sendable, Equatable {
    /// The program, looked up in `PATH`, and its arguments.
    var words: [String]
    /// Environment variables beside those of the caller.
    var environment: [String: String] = [:]

    init(_ words: [String], environment: [String: String] = [:]) {
        self.words = words
        self.environment = environment
    }

    /// The command as shell input.
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
