/// The error of GLSL source that cannot be translated: the file, the line and the reason.
struct TranslationError: Error, CustomStringConvertible {
    let file: String
    let line: Int
    let reason: String

    var description: String { "\(file):\(line): \(reason)" }
}

/// A word, number or operator in GLSL source.
struct Token: Equatable {
    enum Kind { case name, number, sign, end }

    var kind: Kind
    var text: String
    var line: Int
}

/// Splits GLSL source into tokens.
///
/// Removes `//` comments, evaluates `#ifdef`, and turns `PREFIX(x)` and `EFFECT` into names.
struct Lexer {
    private static let defined: Set<String> = ["GL_ES"]
    /// The names that the generated C++ declares, so that a `#define` of them is ignored.
    private static let known: Set<String> = ["lane"]
    private static let signs = [
        "<<=", ">>=", "&&", "||", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--",
        "<<", ">>",
    ]

    private let file: String
    private var tokens: [Token] = []
    /// The conditions of all open `#ifdef`s; true when the lines within are included.
    private var conditions: [Bool] = []

    /// - Parameters:
    ///   - text: The GLSL source.
    ///   - file: The file's name, for errors.
    /// - Returns: The tokens, the last of which marks the end.
    /// - Throws: ``TranslationError`` for an unsupported directive, and for `PREFIX` without a name in parentheses.
    static func tokens(of text: String, file: String) throws(TranslationError) -> [Token] {
        var lexer = Lexer(file: file)
        var line = 0
        for text in text.split(separator: "\n", omittingEmptySubsequences: false) {
            line += 1
            try lexer.take(text, line)
        }
        lexer.tokens.append(Token(kind: .end, text: "", line: line))
        return try lexer.joined()
    }

    private init(file: String) { self.file = file }

    private mutating func take(_ text: Substring, _ line: Int) throws(TranslationError) {
        var rest = text
        if let comment = rest.firstRange(of: "//") { rest = rest[..<comment.lowerBound] }
        if rest.first(where: { !$0.isWhitespace }) == "#" { return try direct(rest, line) }
        guard conditions.allSatisfy({ $0 }) else { return }
        while let first = rest.first {
            if first.isWhitespace {
                rest.removeFirst()
            } else if first.isLetter || first == "_" {
                let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                tokens.append(Token(kind: .name, text: String(word), line: line))
                rest = rest.dropFirst(word.count)
            } else if first.isNumber || (first == "." && rest.dropFirst().first?.isNumber == true) {
                rest = rest.dropFirst(number(of: rest, line))
            } else {
                let sign = Self.signs.first { rest.hasPrefix($0) } ?? String(first)
                tokens.append(Token(kind: .sign, text: sign, line: line))
                rest = rest.dropFirst(sign.count)
            }
        }
    }

    private mutating func direct(_ text: Substring, _ line: Int) throws(TranslationError) {
        let words = text.split(separator: " ").map(String.init)
        switch (words.first, words.count) {
        case ("#ifdef", 2): conditions.append(Self.defined.contains(words[1]))
        case ("#define", 2...) where Self.known.contains(words[1]): break
        case ("#else", 1) where !conditions.isEmpty: conditions[conditions.count - 1].toggle()
        case ("#endif", 1) where !conditions.isEmpty: conditions.removeLast()
        default:
            throw TranslationError(
                file: file, line: line,
                reason: "\(words.first ?? "#") is not supported here; use #ifdef NAME, and then #else and #endif")
        }
    }

    /// Adds the number at the beginning of a text as a token, and returns its length in characters.
    private mutating func number(of text: Substring, _ line: Int) -> Int {
        var characters: [Character] = []
        for character in text {
            let isSign = (character == "-" || character == "+") && characters.last?.lowercased() == "e"
            guard character.isNumber || character.isLetter || character == "." || isSign else { break }
            characters.append(character)
        }
        tokens.append(Token(kind: .number, text: String(characters), line: line))
        return characters.count
    }

    /// Joins the tokens of each `PREFIX(x)`, the name of a uniform or function of the effect, into one name.
    ///
    /// Also replaces `EFFECT` at the beginning of names by `effect`.
    private func joined() throws(TranslationError) -> [Token] {
        var result: [Token] = []
        var index = 0
        while index < tokens.count {
            var token = tokens[index]
            index += 1
            if token.text == "PREFIX" {
                guard index + 2 < tokens.count, tokens[index].text == "(", tokens[index + 1].kind == .name,
                    tokens[index + 2].text == ")"
                else {
                    throw TranslationError(file: file, line: token.line, reason: "PREFIX needs a name in parentheses")
                }
                token.text = "u_" + tokens[index + 1].text
                index += 3
            } else if token.text == "EFFECT" {
                token.text = "effect"
            } else if token.text.hasPrefix("EFFECT_") {
                token.text = "effect_" + token.text.dropFirst(7)
            }
            result.append(token)
        }
        return result
    }
}
