/// Words of a shell's command line, for commands that messages propose.
package enum ShellWord {
    /// Quotes a text if it is empty or contains characters that may be special to a shell.
    package static func quoted(_ text: String) -> String {
        guard text.isEmpty || text.hasPrefix("#") || text.contains(where: { !isPlain($0) }) else { return text }
        return "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
    }

    private static func isPlain(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "-_.,:=/%+@#".contains(character))
    }
}
