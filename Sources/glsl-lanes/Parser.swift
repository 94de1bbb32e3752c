/// A parser for the subset of GLSL ES 3 that effects use.
struct Parser {
    private var reader: TokenReader
    private var unit: ShaderUnit
    private var scopes: [[String: Variable]] = [[:]]
    /// True for a compute shader, which makes a table.
    ///
    /// A compute shader may use more of GLSL. The lanes of a compute shader run one after the other.
    private let computes: Bool

    /// - Parameters:
    ///   - text: The GLSL source.
    ///   - file: The file's name, for errors.
    ///   - known: The predeclared variables of a compute shader; nil for an effect.
    /// - Returns: The declarations in the source.
    /// - Throws: ``TranslationError`` for source that is not GLSL, or uses parts of GLSL that are not supported.
    static func unit(
        of text: String, file: String, known: [Variable]? = nil
    ) throws(TranslationError) -> ShaderUnit {
        var parser = Parser(try TokenReader(text, file: file), file: file, computes: known != nil)
        for variable in known ?? [] { parser.declare(variable) }
        while parser.reader.next.kind != .end { try parser.readDeclaration() }
        return parser.unit
    }

    private init(_ reader: TokenReader, file: String, computes: Bool) {
        self.reader = reader
        self.computes = computes
        unit = ShaderUnit(file: file)
    }

    private func variable(_ name: String) -> Variable? {
        for scope in scopes.reversed() { if let found = scope[name] { return found } }
        return nil
    }

    private mutating func declare(_ variable: Variable) { scopes[scopes.count - 1][variable.name] = variable }

    // MARK: Declarations

    private mutating func readDeclaration() throws(TranslationError) {
        if computes, reader.take(if: "shared") {
            unit.shared.append(try readMember(.shared))
            return
        }
        if reader.take(if: "uniform") {
            unit.uniforms.append(try readMember(.uniform))
            return
        }
        if reader.take(if: "const") {
            guard case .declare(let variable, let value?, _) = try readVariable(.constant) else {
                throw reader.failure("a constant needs a value")
            }
            unit.constants.append((variable, value))
            return
        }
        try readFunction()
    }

    /// Reads the declaration of a variable at file scope.
    private mutating func readMember(_ role: Variable.Role) throws(TranslationError) -> Variable {
        let variable = try readTyped(role)
        try reader.expect(";")
        declare(variable)
        return variable
    }

    /// Reads a type, a name, and for an array its size.
    private mutating func readTyped(_ role: Variable.Role) throws(TranslationError) -> Variable {
        var type = try reader.takeType()
        let name = try reader.takeName()
        type.count = try reader.takeCount()
        return Variable(name, type, role)
    }

    private mutating func readFunction() throws(TranslationError) {
        let line = reader.next.line
        let result = try reader.takeType()
        let name = try reader.takeName()
        try reader.expect("(")
        scopes.append([:])
        var parameters: [Variable] = []
        while !reader.take(if: ")") {
            if !parameters.isEmpty { try reader.expect(",") }
            let isOutput = reader.next.text == "out" || reader.next.text == "inout"
            if isOutput || reader.next.text == "in" { reader.take() }
            let parameter = try readTyped(isOutput ? .output : .parameter)
            parameters.append(parameter)
            declare(parameter)
        }
        let function = Function(name, result, parameters, line: line)
        unit.functions.append(function)
        try reader.expect("{")
        function.body = try readBlock()
        scopes.removeLast()
    }

    private mutating func readVariable(_ role: Variable.Role) throws(TranslationError) -> Statement {
        let line = reader.next.line
        var type = try reader.takeType()
        let name = try reader.takeName()
        type.count = try reader.takeCount()
        var value: Expression?
        if reader.take(if: "=") { value = try readExpression() }
        if type.count == 0, case .list(let elements, _)? = value { type.count = elements.count }
        let variable = Variable(name, type, role)
        declare(variable)
        // Declarations of several variables are not supported: they are rare and hard to read.
        try reader.expect(";")
        return .declare(variable, value, line: line)
    }

    // MARK: Statements

    private mutating func readBlock() throws(TranslationError) -> [Statement] {
        scopes.append([:])
        defer { scopes.removeLast() }
        var statements: [Statement] = []
        while !reader.take(if: "}") {
            if reader.next.kind == .end { throw reader.failure("a \"}\" is missing") }
            statements.append(try readStatement())
        }
        return statements
    }

    /// Reads a block, or a single statement.
    private mutating func readBody() throws(TranslationError) -> [Statement] {
        reader.take(if: "{") ? try readBlock() : [try readStatement()]
    }

    private mutating func readStatement() throws(TranslationError) -> Statement {
        let line = reader.next.line
        switch reader.next.text {
        case "if":
            reader.take()
            try reader.expect("(")
            let condition = try readExpression()
            try reader.expect(")")
            let body = try readBody()
            let other = reader.take(if: "else") ? try readBody() : []
            return .branch(condition, body, other, line: line)
        case "for": return try readLoop(line)
        case "return":
            reader.take()
            if reader.take(if: ";") { return .give(nil, line: line) }
            let value = try readExpression()
            try reader.expect(";")
            return .give(value, line: line)
        case "continue":
            reader.take()
            try reader.expect(";")
            return .skip(line: line)
        case "while", "do", "switch", "break", "discard":
            throw reader.failure("\(reader.next.text) is not supported; use if, for, return and continue")
        case "const":
            reader.take()
            return try readVariable(.local)
        default: break
        }
        let isDeclaration =
            (ShaderType(reader.next.text) != nil && reader.second.kind == .name) || reader.next.text == "highp"
        if isDeclaration { return try readVariable(.local) }
        let statement = try readAssignment()
        try reader.expect(";")
        return statement
    }

    private mutating func readAssignment() throws(TranslationError) -> Statement {
        let line = reader.next.line
        let target = try readExpression()
        switch reader.next.text {
        case "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=":
            let sign = reader.take().text
            return .assign(target, String(sign.dropLast()), try readExpression(), line: line)
        case "++":
            reader.take()
            return .assign(target, "+", .number("1"), line: line)
        case "--":
            reader.take()
            return .assign(target, "-", .number("1"), line: line)
        default: return .run(target, line: line)
        }
    }

    /// Reads `for (int i = a; i < b; i++)`, or the same loop with `<=`.
    ///
    /// Other loops are supported in compute shaders only.
    private mutating func readLoop(_ line: Int) throws(TranslationError) -> Statement {
        reader.take()
        try reader.expect("(")
        scopes.append([:])
        defer { scopes.removeLast() }
        if computes { return try readAnyLoop(line) }
        guard reader.next.text == "int",
            case .declare(let counter, let first?, _) = try readVariable(.local)
        else { throw reader.failure("a loop must begin with an int counter and its first value", line: line) }
        let condition = try readExpression()
        try reader.expect(";")
        let step = try readAssignment()
        guard case .assign(.variable(let stepped), "+", .number("1"), _) = step, stepped === counter,
            case .binary(let sign, .variable(let compared), let last) = condition, compared === counter,
            sign == "<" || sign == "<="
        else { throw reader.failure("a loop must count upwards by one to a bound", line: line) }
        try reader.expect(")")
        let body = try readBody()
        let isLiteral = first.isLiteral && last.isLiteral
        return .loop(counter, from: first, while: condition, isLiteral: isLiteral, body, line: line)
    }

    private mutating func readAnyLoop(_ line: Int) throws(TranslationError) -> Statement {
        let first = try readVariable(.local)
        let condition = try readExpression()
        try reader.expect(";")
        let step = try readAssignment()
        try reader.expect(")")
        return .repeats(first, while: condition, step: step, try readBody(), line: line)
    }

    // MARK: Expressions

    private static let precedence = [
        "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7, "<<": 8,
        ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
    ]

    private mutating func readExpression() throws(TranslationError) -> Expression {
        let condition = try readBinary(above: 0)
        let line = reader.next.line
        guard reader.take(if: "?") else { return condition }
        let first = try readExpression()
        try reader.expect(":")
        return .choice(condition, first, try readExpression(), line: line)
    }

    private mutating func readBinary(above least: Int) throws(TranslationError) -> Expression {
        var left = try readUnary()
        while reader.next.kind == .sign, let rank = Self.precedence[reader.next.text], rank > least {
            let sign = reader.take().text
            left = .binary(sign, left, try readBinary(above: rank))
        }
        return left
    }

    private mutating func readUnary() throws(TranslationError) -> Expression {
        if reader.next.text == "-" || reader.next.text == "!" || reader.next.text == "~" || reader.next.text == "+" {
            let sign = reader.take().text
            return .unary(sign, try readUnary())
        }
        var value = try readPrimary()
        while true {
            let line = reader.next.line
            if reader.take(if: "[") {
                let index = try readExpression()
                try reader.expect("]")
                value = .element(value, index, line: line)
            } else if reader.take(if: ".") {
                value = .member(value, try reader.takeName(), line: line)
            } else {
                return value
            }
        }
    }

    private mutating func readPrimary() throws(TranslationError) -> Expression {
        let token = reader.take()
        switch token.kind {
        case .number: return .number(token.text)
        case .sign where token.text == "(":
            let value = try readExpression()
            try reader.expect(")")
            return value
        case .name:
            if token.text == "true" || token.text == "false" { return .truth(token.text == "true") }
            if let type = ShaderType(token.text) {
                let count = try reader.takeCount()
                try reader.expect("(")
                let parts = try readArguments()
                return count == nil ? .make(type, parts, line: token.line) : .list(parts, line: token.line)
            }
            if reader.take(if: "(") { return .call(token.text, try readArguments(), line: token.line) }
            if let variable = variable(token.text) { return .variable(variable) }
            if token.text == "TEXEL" { return .word(token.text) }
            throw reader.failure("\(token.text) is not declared", line: token.line)
        default:
            throw reader.failure(
                "\(token.kind == .end ? "the end of the file" : "\"\(token.text)\"") is not expected here",
                line: token.line)
        }
    }

    private mutating func readArguments() throws(TranslationError) -> [Expression] {
        var parts: [Expression] = []
        while !reader.take(if: ")") {
            if !parts.isEmpty { try reader.expect(",") }
            parts.append(try readExpression())
        }
        return parts
    }
}
