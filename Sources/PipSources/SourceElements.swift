/// The GStreamer elements of a source or a sink, as the user wrote them, and a form without secrets for messages.
package struct SourceElements: Sendable, Equatable {
    /// The elements' text as the user wrote it, including secrets.
    package let text: String
    /// The elements without secrets of addresses and properties: `srtsrc uri=srt://host:9000?… passphrase=…`.
    package let shown: String
    private let secrets: [String]

    /// Words that mark a property's value as secret when the property's name contains them.
    private static let secretNames = ["passphrase", "password", "passwd", "user-pw", "proxy-pw", "secret", "token"]

    package init(_ text: String) {
        self.text = text
        var secrets: [String] = []
        let words = Self.words(text).map { word in
            guard let equals = word.firstIndex(of: "="),
                Self.secretNames.contains(where: word[..<equals].lowercased().contains)
            else { return word }
            secrets.append(word[word.index(after: equals)...].filter { $0 != "\"" })
            return word[...equals] + "…"
        }
        shown = SourceAddress.hiding(in: words.joined(separator: " "))
        self.secrets = secrets.filter { $0.utf8.count >= 4 }
    }

    /// The message without the secrets of these elements.
    package func masked(_ message: String) -> String {
        SourceAddress.hiding(
            in: secrets.reduce(message) { text, secret in
                text.split(separator: secret, omittingEmptySubsequences: false).joined(separator: "…")
            })
    }

    /// Splits a text into words.
    ///
    /// White space within quotation marks does not separate words.
    private static func words(_ text: String) -> [String] {
        var isQuoted = false
        return text.split { character in
            if character == "\"" { isQuoted.toggle() }
            return character.isWhitespace && !isQuoted
        }.map(String.init)
    }
}
