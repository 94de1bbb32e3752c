/// Scans the top-level declarations of a GLSL text.
///
/// The scan also makes the declared names unique by `PREFIX`, so that several files fit into one shader.
struct ShaderScan {
    /// A declaration of a uniform, with the comment after it.
    struct Uniform {
        var type: String
        var name: String
        var line: Int
        var comment = ""
    }

    /// A word, a number or a punctuation character, and its line.
    private struct Token {
        var text: Substring
        var line: Int
        /// True within a directive such as `#define`.
        var isDirective: Bool
        var isWord: Bool { text.first.map { $0.isLetter || $0 == "_" } ?? false }
    }

    /// The names that the planner replaces.
    private static let reserved: Set<Substring> = ["EFFECT", "PREFIX"]

    /// The first `//` comment before all code, without its slashes; empty where there is none.
    private(set) var firstComment = ""
    private(set) var uniforms: [Uniform] = []
    /// The types in the signature of `EFFECT`, such as `vec4(vec4,vec2)`, and the line of the signature; nil without a
    /// function `EFFECT`.
    private(set) var signature: (types: String, line: Int)?
    private let path: String
    private let text: String
    private var tokens: [Token] = []
    /// The comment at the end of each line, keyed by line number.
    private var comments: [Int: String] = [:]
    private var names: Set<Substring> = []

    /// Scans a GLSL text.
    ///
    /// - Parameters:
    ///   - text: The GLSL text.
    ///   - path: The file's path, which names the file in problems.
    /// - Throws: ``FileProblem`` that names the wrong line, if there is one.
    init(_ text: String, path: String) throws(FileProblem) {
        self.path = path
        self.text = text
        try readTokens()
        try readDeclarations()
    }

    /// The text with every name of a top-level declaration replaced by `PREFIX(name)`.
    ///
    /// Line numbers stay the same.
    var prefixed: String {
        var result = ""
        var end = text.startIndex
        for (index, token) in tokens.enumerated() where token.isWord && names.contains(token.text) {
            // Keep components such as `.amount`, and names that already have a prefix.
            let isComponent = index > 0 && tokens[index - 1].text == "."
            let isPrefixed = index > 1 && tokens[index - 1].text == "(" && tokens[index - 2].text == "PREFIX"
            if isComponent || isPrefixed { continue }
            result += text[end..<token.text.startIndex] + "PREFIX(\(token.text))"
            end = token.text.endIndex
        }
        return result + text[end...]
    }

    private func problem(_ line: Int, _ reason: String) -> FileProblem {
        FileProblem("\(path), line \(line): \(reason)")
    }

    // MARK: Tokens

    private mutating func readTokens() throws(FileProblem) {
        var rest = text[...]
        var line = 1
        var isDirective = false
        var isFirst = true
        while let character = rest.first {
            if character.isNewline {
                line += 1
                (isDirective, isFirst) = (false, true)
                rest.removeFirst()
            } else if character.isWhitespace {
                rest.removeFirst()
            } else if rest.hasPrefix("//") {
                let end = rest.firstIndex(where: \.isNewline) ?? rest.endIndex
                note(comment: rest[..<end].drop { $0 == "/" || $0 == " " }, line, isFirst: isFirst)
                rest = rest[end...]
            } else if rest.hasPrefix("/*") {
                guard let end = rest.firstRange(of: "*/") else { throw problem(line, "this comment has no closing */") }
                line += rest[..<end.lowerBound].count(where: \.isNewline)
                rest = rest[end.upperBound...]
            } else {
                if character == "#", isFirst { isDirective = true }
                isFirst = false
                let isName = character.isLetter || character == "_" || character.isNumber
                let end =
                    isName
                    ? rest.firstIndex { !($0.isLetter || $0.isNumber || $0 == "_") } ?? rest.endIndex
                    : rest.index(after: rest.startIndex)
                tokens.append(Token(text: rest[..<end], line: line, isDirective: isDirective))
                rest = rest[end...]
            }
        }
    }

    private mutating func note(comment: Substring, _ line: Int, isFirst: Bool) {
        if isFirst {
            if firstComment.isEmpty, tokens.isEmpty { firstComment = String(comment) }
        } else {
            comments[line] = String(comment)
        }
    }

    // MARK: Declarations

    private mutating func readDeclarations() throws(FileProblem) {
        var (braces, parentheses) = (0, 0)
        var statement: [Token] = []
        for (index, token) in tokens.enumerated() {
            if token.isDirective {
                try check(directive: token, after: index > 0 ? tokens[index - 1] : nil)
                continue
            }
            switch token.text {
            case "{":
                if braces == 0 { try take(statement) }
                braces += 1
            case "}":
                braces -= 1
                if braces == 0 { statement = [] }
                guard braces >= 0 else { throw problem(token.line, "this } has no opening {") }
            case "(", "[": parentheses += 1
            case ")", "]": parentheses -= 1
            default: break
            }
            guard braces == 0, token.text != "}" else { continue }
            if token.text == ";", parentheses == 0 {
                try take(statement)
                statement = []
            } else {
                statement.append(token)
            }
        }
        if braces > 0 { throw FileProblem("\(path): a { has no closing }") }
    }

    private func check(directive token: Token, after previous: Token?) throws(FileProblem) {
        guard previous?.text == "#", previous?.line == token.line else { return }
        guard !["version", "extension", "line"].contains(token.text) else {
            throw problem(token.line, "#\(token.text) is not allowed, because the effect becomes part of a shader")
        }
    }

    /// Records the declaration in a top-level statement, up to its `;` or `{`.
    private mutating func take(_ statement: [Token]) throws(FileProblem) {
        guard let first = statement.first, first.text != "precision" else { return }
        if first.text == "uniform" { return try take(uniform: statement) }
        if first.text == "struct" {
            if statement.count > 1 { declare(statement[1]) }
            return
        }
        let open = statement.firstIndex { ["(", "=", "["].contains($0.text) } ?? statement.endIndex
        guard open > 0, statement[open - 1].isWord else { return }
        let name = statement[open - 1]
        guard open < statement.endIndex, statement[open].text == "(" else {
            declare(name)
            return
        }
        switch name.text {
        case "EFFECT": take(signature: statement, open)
        case "PREFIX": return
        case "main": throw problem(name.line, "main is not allowed; name the function EFFECT")
        default: declare(name)
        }
    }

    private mutating func declare(_ name: Token) {
        if !Self.reserved.contains(name.text) { names.insert(name.text) }
    }

    /// Records a declaration of the form `uniform [precision] type name` or `uniform type PREFIX(name)`.
    private mutating func take(uniform statement: [Token]) throws(FileProblem) {
        let words = statement.filter {
            $0.isWord && !["uniform", "highp", "mediump", "lowp", "PREFIX"].contains($0.text)
        }
        guard words.count == 2, let line = statement.last?.line else {
            throw problem(statement[0].line, "declare one uniform per statement, such as: uniform float amount;")
        }
        guard !statement.contains(where: { $0.text == "[" }) else {
            throw problem(line, "\(words[1].text) is an array, but must be float, vec2, vec3 or vec4")
        }
        let name = words[1].text
        guard !Self.reserved.contains(name), !Self.reserved.contains(words[0].text) else {
            throw problem(line, "EFFECT and PREFIX are reserved; give the uniform another name")
        }
        guard !uniforms.contains(where: { $0.name == name }) else {
            throw problem(line, "\(name) is declared twice")
        }
        names.insert(name)
        uniforms.append(
            Uniform(type: String(words[0].text), name: String(name), line: line, comment: comments[line] ?? ""))
    }

    private mutating func take(signature statement: [Token], _ open: Int) {
        var parameters: [String] = []
        var words: [Substring] = []
        func type() -> String {
            let kinds = words.filter { !["in", "const", "highp", "mediump", "lowp"].contains($0) }
            let array =
                words.contains("[")
                ? "[" + words.drop { $0 != "[" }.dropFirst().prefix { $0 != "]" }.joined() + "]" : ""
            return (kinds.first.map(String.init) ?? "") + array
        }
        for token in statement[(open + 1)...] {
            if token.text == "," || token.text == ")" {
                if !words.isEmpty { parameters.append(type()) }
                words = []
            } else {
                words.append(token.text)
            }
        }
        let result = statement[..<(open - 1)].last?.text ?? ""
        signature = ("\(result)(\(parameters.joined(separator: ",")))", statement[open].line)
    }
}
