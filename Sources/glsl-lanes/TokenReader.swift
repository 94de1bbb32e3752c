/// Reads the tokens of a GLSL source in order.
struct TokenReader {
    private let file: String
    private let tokens: [Token]
    private var index = 0

    init(_ text: String, file: String) throws(TranslationError) {
        self.file = file
        tokens = try Lexer.tokens(of: text, file: file)
    }

    var next: Token { tokens[index] }

    /// The token after the next one.
    var second: Token { tokens[index + 1] }

    /// The next token in quotation marks, or words for the end of the file.
    private var nextWords: String { next.kind == .end ? "the end of the file" : "\"\(next.text)\"" }

    func failure(_ reason: String, line: Int? = nil) -> TranslationError {
        TranslationError(file: file, line: line ?? next.line, reason: reason)
    }

    @discardableResult
    mutating func take() -> Token {
        defer { if index < tokens.count - 1 { index += 1 } }
        return tokens[index]
    }

    mutating func take(if text: String) -> Bool {
        guard next.text == text, next.kind != .end else { return false }
        index += 1
        return true
    }

    mutating func expect(_ text: String) throws(TranslationError) {
        guard take(if: text) else { throw failure("\"\(text)\" is missing before \(nextWords)") }
    }

    mutating func takeName() throws(TranslationError) -> String {
        guard next.kind == .name else { throw failure("a name is missing before \(nextWords)") }
        return take().text
    }

    mutating func takeType() throws(TranslationError) -> ShaderType {
        if next.text == "highp" || next.text == "mediump" { take() }
        guard let type = ShaderType(next.text) else { throw failure("\(nextWords) is not a supported type") }
        take()
        return type
    }

    /// Reads an array's brackets, and returns the number of elements.
    ///
    /// Nil where no bracket follows; 0 for brackets without a number.
    mutating func takeCount() throws(TranslationError) -> Int? {
        guard take(if: "[") else { return nil }
        if take(if: "]") { return 0 }
        guard let count = Int(next.text) else { throw failure("an array's size must be a number, not \(nextWords)") }
        take()
        try expect("]")
        return count
    }
}
