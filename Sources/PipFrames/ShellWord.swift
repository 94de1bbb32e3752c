/// Words of a shell's command line, for commands that messages propose, and for programs that users name.
package enum ShellWord {
    /// Quotes a text if it is empty or contains characters that may be special to a shell.
    package static func quoted(_ text: String) -> String {
        guard text.isEmpty || text.hasPrefix("#") || text.contains(where: { !isPlain($0) }) else { return text }
        return "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
    }

    /// Splits a command line into words, with quotes and backslashes as in a shell, but without a shell's expansions.
    ///
    /// - Returns: The words; nil when a quote is not closed, or when nothing follows a last backslash.
    package static func words(of text: some StringProtocol) -> [String]? {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in text {
            if isEscaped {
                // Within quotes, a backslash is special before a few characters only.
                if quote != nil, !"\"\\$`".contains(character) { word = (word ?? "") + "\\" }
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "'" || character == "\"" {
                (quote, word) = (character, word ?? "")
            } else if character.isWhitespace {
                if let complete = word { words.append(complete) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        guard quote == nil, !isEscaped else { return nil }
        return words + (word.map { [$0] } ?? [])
    }

    private static func isPlain(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "-_.,:=/%+@#".contains(character))
    }
}
