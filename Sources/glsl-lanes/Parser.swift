/// Reads the part of GLSL ES 3 that effects are written in.
struct Parser {
    private let file: String
    private let tokens: [Token]
    private var index = 0
    private var unit: ShaderUnit
    private var scopes: [[String: Variable]] = [[:]]
    /// True for a shader that computes a table: it may do more, one lane after the other.
    private let computes: Bool

    /// - Parameters:
    ///   - text: An effect's text.
    ///   - file: Its name, for errors.
    ///   - known: The variables that are there without being declared; nil for a shader that draws.
    /// - Returns: What it declares.
    /// - Throws: ``TranslationError`` for what is no GLSL, or is not translated.
    static func unit(
        of text: String, file: String, known: [Variable]? = nil
    ) throws(TranslationError) -> ShaderUnit {
        var parser = Parser(
            file: file, tokens: try Lexer.tokens(of: text, file: file), computes: known != nil)
        for variable in known ?? [] { parser.declare(variable) }
        while parser.next.kind != .end { try parser.readDeclaration() }
        return parser.unit
    }

    private init(file: String, tokens: [Token], computes: Bool) {
        self.computes = computes
        self.file = file
        self.tokens = tokens
        unit = ShaderUnit(file: file)
    }

    // MARK: Tokens

    private var next: Token { tokens[index] }

    private func failure(_ reason: String, line: Int? = nil) -> TranslationError {
        TranslationError(file: file, line: line ?? next.line, reason: reason)
    }

    private mutating func take() -> Token {
        defer { if index < tokens.count - 1 { index += 1 } }
        return tokens[index]
    }

    private mutating func take(if text: String) -> Bool {
        guard next.text == text, next.kind != .end else { return false }
        index += 1
        return true
    }

    private mutating func expect(_ text: String) throws(TranslationError) {
        guard take(if: text) else { throw failure("\"\(text)\" is missing before \"\(next.text)\"") }
    }

    private mutating func takeName() throws(TranslationError) -> String {
        guard next.kind == .name else { throw failure("a name is missing before \"\(next.text)\"") }
        return take().text
    }

    private mutating func takeType() throws(TranslationError) -> ShaderType {
        if next.text == "highp" || next.text == "mediump" { _ = take() }
        guard let type = ShaderType(next.text) else { throw failure("\(next.text) is no type that is translated") }
        _ = take()
        return type
    }

    /// The elements of an array, if the next tokens say that it is one; 0 for as many as there are.
    private mutating func takeCount() throws(TranslationError) -> Int? {
        guard take(if: "[") else { return nil }
        if take(if: "]") { return 0 }
        guard let count = Int(next.text) else { throw failure("an array's size is a number") }
        _ = take()
        try expect("]")
        return count
    }

    private func variable(_ name: String) -> Variable? {
        for scope in scopes.reversed() { if let found = scope[name] { return found } }
        return nil
    }

    private mutating func declare(_ variable: Variable) { scopes[scopes.count - 1][variable.name] = variable }

    // MARK: Declarations

    private mutating func readDeclaration() throws(TranslationError) {
        if computes, take(if: "shared") {
            var type = try takeType()
            let name = try takeName()
            type.count = try takeCount()
            try expect(";")
            let variable = Variable(name, type, .shared)
            unit.shared.append(variable)
            return declare(variable)
        }
        if take(if: "uniform") {
            var type = try takeType()
            let name = try takeName()
            type.count = try takeCount()
            try expect(";")
            let uniform = Variable(name, type, .uniform)
            unit.uniforms.append(uniform)
            return declare(uniform)
        }
        if take(if: "const") {
            guard case .declare(let variable, let value?, _) = try readVariable(.constant) else {
                throw failure("a constant has a value")
            }
            unit.constants.append((variable, value))
            return
        }
        let line = next.line
        let result = try takeType()
        let name = try takeName()
        try expect("(")
        scopes.append([:])
        var parameters: [Variable] = []
        while !take(if: ")") {
            if !parameters.isEmpty { try expect(",") }
            let isOutput = next.text == "out" || next.text == "inout"
            if isOutput || next.text == "in" { _ = take() }
            var type = try takeType()
            let name = try takeName()
            type.count = try takeCount()
            let parameter = Variable(name, type, isOutput ? .output : .parameter)
            parameters.append(parameter)
            declare(parameter)
        }
        let function = Function(name, result, parameters, line: line)
        unit.functions.append(function)
        try expect("{")
        function.body = try readBlock()
        scopes.removeLast()
    }

    private mutating func readVariable(_ role: Variable.Role) throws(TranslationError) -> Statement {
        let line = next.line
        var type = try takeType()
        let name = try takeName()
        type.count = try takeCount()
        var value: Expression?
        if take(if: "=") { value = try readExpression() }
        if type.count == 0, case .list(let elements, _)? = value { type.count = elements.count }
        let variable = Variable(name, type, role)
        declare(variable)
        // A list of variables is as rare as it is hard to read.
        try expect(";")
        return .declare(variable, value, line: line)
    }

    // MARK: Statements

    private mutating func readBlock() throws(TranslationError) -> [Statement] {
        scopes.append([:])
        defer { scopes.removeLast() }
        var statements: [Statement] = []
        while !take(if: "}") {
            if next.kind == .end { throw failure("a \"}\" is missing") }
            statements.append(try readStatement())
        }
        return statements
    }

    /// A block, or one statement.
    private mutating func readBody() throws(TranslationError) -> [Statement] {
        take(if: "{") ? try readBlock() : [try readStatement()]
    }

    private mutating func readStatement() throws(TranslationError) -> Statement {
        let line = next.line
        switch next.text {
        case "if":
            _ = take()
            try expect("(")
            let condition = try readExpression()
            try expect(")")
            let body = try readBody()
            let other = take(if: "else") ? try readBody() : []
            return .branch(condition, body, other, line: line)
        case "for": return try readLoop(line)
        case "return":
            _ = take()
            if take(if: ";") { return .give(nil, line: line) }
            let value = try readExpression()
            try expect(";")
            return .give(value, line: line)
        case "continue":
            _ = take()
            try expect(";")
            return .skip(line: line)
        case "while", "do", "switch", "break", "discard":
            throw failure("\(next.text) is not translated")
        case "const":
            _ = take()
            return try readVariable(.local)
        default: break
        }
        let isDeclaration =
            (ShaderType(next.text) != nil && tokens[index + 1].kind == .name) || next.text == "highp"
        if isDeclaration { return try readVariable(.local) }
        let statement = try readAssignment()
        try expect(";")
        return statement
    }

    private mutating func readAssignment() throws(TranslationError) -> Statement {
        let line = next.line
        let target = try readExpression()
        switch next.text {
        case "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=":
            let sign = take().text
            return .assign(target, String(sign.dropLast()), try readExpression(), line: line)
        case "++":
            _ = take()
            return .assign(target, "+", .number("1"), line: line)
        case "--":
            _ = take()
            return .assign(target, "-", .number("1"), line: line)
        default: return .run(target, line: line)
        }
    }

    /// `for (int i = a; i < b; i++)`; other loops are refused.
    private mutating func readLoop(_ line: Int) throws(TranslationError) -> Statement {
        _ = take()
        try expect("(")
        scopes.append([:])
        defer { scopes.removeLast() }
        if computes { return try readAnyLoop(line) }
        guard next.text == "int",
            case .declare(let counter, let first?, _) = try readVariable(.local)
        else { throw failure("a loop counts an int", line: line) }
        let condition = try readExpression()
        try expect(";")
        let step = try readAssignment()
        guard case .assign(.variable(let stepped), "+", .number("1"), _) = step, stepped === counter,
            case .binary(let sign, .variable(let compared), let last) = condition, compared === counter,
            sign == "<" || sign == "<="
        else { throw failure("a loop counts upwards by one to a bound", line: line) }
        try expect(")")
        let body = try readBody()
        let isLiteral = first.isLiteral && last.isLiteral
        return .loop(counter, from: first, while: condition, isLiteral: isLiteral, body, line: line)
    }

    private mutating func readAnyLoop(_ line: Int) throws(TranslationError) -> Statement {
        let first = try readVariable(.local)
        let condition = try readExpression()
        try expect(";")
        let step = try readAssignment()
        try expect(")")
        return .repeats(first, while: condition, step: step, try readBody(), line: line)
    }

    // MARK: Expressions

    private static let precedence = [
        "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7, "<<": 8,
        ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
    ]

    private mutating func readExpression() throws(TranslationError) -> Expression {
        let condition = try readBinary(above: 0)
        let line = next.line
        guard take(if: "?") else { return condition }
        let first = try readExpression()
        try expect(":")
        return .choice(condition, first, try readExpression(), line: line)
    }

    private mutating func readBinary(above least: Int) throws(TranslationError) -> Expression {
        var left = try readUnary()
        while next.kind == .sign, let rank = Self.precedence[next.text], rank > least {
            let sign = take().text
            left = .binary(sign, left, try readBinary(above: rank))
        }
        return left
    }

    private mutating func readUnary() throws(TranslationError) -> Expression {
        if next.text == "-" || next.text == "!" || next.text == "~" || next.text == "+" {
            let sign = take().text
            return .unary(sign, try readUnary())
        }
        var value = try readPrimary()
        while true {
            let line = next.line
            if take(if: "[") {
                let index = try readExpression()
                try expect("]")
                value = .element(value, index, line: line)
            } else if take(if: ".") {
                value = .member(value, try takeName(), line: line)
            } else {
                return value
            }
        }
    }

    private mutating func readPrimary() throws(TranslationError) -> Expression {
        let token = take()
        switch token.kind {
        case .number: return .number(token.text)
        case .sign where token.text == "(":
            let value = try readExpression()
            try expect(")")
            return value
        case .name:
            if token.text == "true" || token.text == "false" { return .truth(token.text == "true") }
            if let type = ShaderType(token.text) {
                let count = try takeCount()
                try expect("(")
                let parts = try readArguments()
                return count == nil ? .make(type, parts, line: token.line) : .list(parts, line: token.line)
            }
            if take(if: "(") { return .call(token.text, try readArguments(), line: token.line) }
            if let variable = variable(token.text) { return .variable(variable) }
            if token.text == "TEXEL" { return .word(token.text) }
            throw failure("\(token.text) is not declared", line: token.line)
        default: throw failure("\"\(token.text)\" is not expected here", line: token.line)
        }
    }

    private mutating func readArguments() throws(TranslationError) -> [Expression] {
        var parts: [Expression] = []
        while !take(if: ")") {
            if !parts.isEmpty { try expect(",") }
            parts.append(try readExpression())
        }
        return parts
    }
}

extension Expression {
    /// True for a number as it is written.
    var isLiteral: Bool {
        switch self {
        case .number: true
        case .unary(_, let value): value.isLiteral
        default: false
        }
    }
}
