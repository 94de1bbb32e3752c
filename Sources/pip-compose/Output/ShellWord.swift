import PipRig

/// A word as a shell takes it.
enum ShellWord {
    /// A text within quotes, where a shell would split it or read more into it.
    static func quoted(_ text: String) -> String {
        guard text.isEmpty || text.hasPrefix("#") || text.contains(where: { !isPlain($0) }) else { return text }
        return "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
    }

    private static func isPlain(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "-_.,:=/%+@#".contains(character))
    }
}
