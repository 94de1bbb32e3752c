/// Writes text in roff, the language of manual pages.
///
/// Source: groff, `groff_man_style(7)` and `groff_char(7)`.
enum Roff {
    /// Escapes a line of text, so that roff prints each character literally.
    static func escaped(_ text: String) -> String {
        let line = text.map { character in
            switch character {
            case "\\": "\\e"
            case "-": "\\-"
            case "'": "\\(aq"
            case "`": "\\(ga"
            case "^": "\\(ha"
            case "~": "\\(ti"
            default: String(character)
            }
        }.joined()
        // A dot at the start of a line would begin a request.
        return line.hasPrefix(".") ? "\\&" + line : line
    }

    /// Writes a request with quoted arguments.
    static func request(_ name: String, _ arguments: [String] = []) -> String {
        let quoted = arguments.map { "\"\(escaped($0).replacing("\"", with: "\\(dq"))\"" }
        return ([".\(name)"] + quoted).joined(separator: " ")
    }

    /// Writes lines whose line breaks and spaces are kept.
    static func verbatim(_ text: String) -> [String] {
        [".EX"]
            + text.split(separator: "\n", omittingEmptySubsequences: false).map {
                $0.isEmpty ? ".sp" : escaped(String($0))
            }
            + [".EE"]
    }
}
