/// Writes GLSL expressions as C++.
struct ExpressionWriter {
    let unit: ShaderUnit
    /// True within a condition that differs from pixel to pixel.
    let isMasked: Bool

    func converted(_ value: Expression, to type: ShaderType, varies: Bool) throws(TranslationError) -> String {
        let text = try text(of: value)
        guard varies else { return text }
        return type.base == .bool && type.size == 1 ? "maskOf(\(text))" : "as<\(type.name(varies: true))>(\(text))"
    }

    func varies(_ expression: Expression) -> Bool {
        switch expression {
        case .number, .truth, .word: false
        case .variable(let variable): variable.varies
        case .unary(_, let value), .member(let value, _, _): varies(value)
        case .binary(_, let left, let right): varies(left) || varies(right)
        case .choice(let condition, let first, let second, _): varies(condition) || varies(first) || varies(second)
        case .make(_, let parts, _), .list(let parts, _): parts.contains { varies($0) }
        case .element(let base, let index, _): varies(base) || varies(index)
        case .call(let name, let arguments, _):
            if name == "PIXEL" || name == "SAMPLE" {
                true
            } else if let called = unit.function(name, arguments.count) {
                called.varies
            } else {
                arguments.contains { varies($0) }
            }
        }
    }

    /// Returns the C++ of an operator with its operands.
    ///
    /// Guards integer division by zero, which would crash the program, unlike a shader.
    func applied(_ sign: String, _ left: String, _ right: Expression) throws(TranslationError) -> String {
        let text = try text(of: right)
        if case .number(let divisor) = right, Double(divisor) != 0 { return "\(left) \(sign) \(text)" }
        switch sign {
        case "/": return "quotient(\(left), \(text))"
        case "%": return "remainder(\(left), \(text))"
        default: return "\(left) \(sign) \(text)"
        }
    }

    func text(of expression: Expression) throws(TranslationError) -> String {
        switch expression {
        case .number(let text): return number(text)
        case .truth(let value): return value ? "true" : "false"
        case .variable(let variable): return variable.text
        case .word: return "access.texel"
        case .unary("!", let value): return "notOf(\(try text(of: value)))"
        case .unary(let sign, let value): return "(\(sign)\(try text(of: value)))"
        case .binary("&&", let left, let right): return "both(\(try text(of: left)), \(try text(of: right)))"
        case .binary("||", let left, let right): return "either(\(try text(of: left)), \(try text(of: right)))"
        case .binary(let sign, let left, let right):
            let text = try applied(sign, try text(of: left), right)
            return text.hasSuffix(")") && (sign == "/" || sign == "%") && !text.hasPrefix("(") ? text : "(\(text))"
        case .choice(let condition, let first, let second, _):
            return "select(\(try text(of: condition)), \(try text(of: first)), \(try text(of: second)))"
        case .make(let type, let parts, let line): return try construction(type, parts, line)
        case .list(let parts, _): return "{\(try list(parts))}"
        case .element(let base, let index, let line): return try element(base, index, line)
        case .member(let base, let field, let line):
            let fields = try components(field, line)
            if fields.count == 1 { return "\(try text(of: base)).\("xyzw".letter(fields[0]))" }
            return "swizzle<\(fields.map(String.init).joined(separator: ", "))>(\(try text(of: base)))"
        case .call(let name, let arguments, let line): return try call(name, arguments, line)
        }
    }

    private func list(_ parts: [Expression]) throws(TranslationError) -> String {
        var texts: [String] = []
        for part in parts { texts.append(try text(of: part)) }
        return texts.joined(separator: ", ")
    }

    private func number(_ text: String) -> String {
        text.contains(".") || (text.contains("e") && !text.hasPrefix("0x")) ? text + "f" : text
    }

    private func construction(
        _ type: ShaderType, _ parts: [Expression], _ line: Int
    ) throws(TranslationError) -> String {
        let arguments = try list(parts)
        if type.isMatrix { throw failure("only uniforms can be matrices", line) }
        switch (type.base, type.size) {
        case (.float, 1): return "toFloat(\(arguments))"
        case (.int, 1): return "toInt(\(arguments))"
        case (.uint, 1): return "toUint(\(arguments))"
        case (.float, let size): return "makeVec<\(size)>(\(arguments))"
        case (.int, let size): return "makeIVec<\(size)>(\(arguments))"
        case (.uint, let size): return "makeUVec<\(size)>(\(arguments))"
        default: throw failure("only float, int and uint values can be constructed", line)
        }
    }

    private func element(_ base: Expression, _ index: Expression, _ line: Int) throws(TranslationError) -> String {
        let (own, place) = (try text(of: base), try text(of: index))
        guard case .variable(let variable) = base else {
            if varies(index) { throw failure("the index of a component must not differ from pixel to pixel", line) }
            return "at(\(own), \(place))"
        }
        if variable.type.count != nil { return varies(index) ? "pick(\(own), \(place))" : "\(own)[\(place)]" }
        if varies(index) { throw failure("the index of a component must not differ from pixel to pixel", line) }
        return variable.type.isMatrix ? "\(own).columns[\(place)]" : "at(\(own), \(place))"
    }

    func components(_ field: String, _ line: Int) throws(TranslationError) -> [Int] {
        var places: [Int] = []
        for letter in field {
            guard let place = "xyzw".place(of: letter) ?? "rgba".place(of: letter) else {
                throw failure("\(field) is not a component; components are x, y, z, w or r, g, b, a", line)
            }
            places.append(place)
        }
        return places
    }

    private func call(_ name: String, _ arguments: [Expression], _ line: Int) throws(TranslationError) -> String {
        switch name {
        case "PIXEL": return "access.pixel(\(try list(arguments)))"
        case "SAMPLE": return "access.sample(\(try list(arguments)))"
        default: break
        }
        guard let called = unit.function(name, arguments.count) else { return "\(name)(\(try list(arguments)))" }
        var texts: [String] = []
        for (argument, parameter) in zip(arguments, called.parameters) {
            let isPlain = parameter.role == .output || parameter.type.count != nil
            texts.append(
                isPlain
                    ? try text(of: argument)
                    : try converted(argument, to: parameter.type, varies: parameter.varies))
        }
        if isMasked, called.parameters.contains(where: { $0.role == .output }) {
            throw failure("a call must not change its arguments for some pixels only", line)
        }
        return "\(name)(\(texts.joined(separator: ", ")))"
    }

    private func failure(_ reason: String, _ line: Int) -> TranslationError {
        TranslationError(file: unit.file, line: line, reason: reason)
    }
}

extension Variable {
    /// The variable's C++ declaration, without a value.
    var declaration: String {
        "\(type.name(varies: varies)) \(name)" + (type.count.map { "[\($0)]" } ?? "")
    }
}

extension ShaderType {
    /// The C++ type of one component.
    func partName(varies: Bool) -> String {
        switch base {
        case .float: varies ? "F" : "float"
        case .int: varies ? "I" : "int"
        case .uint: varies ? "U" : "unsigned"
        case .bool: varies ? "I" : "bool"
        case .sampler: "PipTexture"
        case .void: "void"
        }
    }

    /// The C++ type of one element.
    func name(varies: Bool) -> String {
        let part = partName(varies: varies)
        if isMatrix { return "Mat<\(size)>" }
        return size == 1 ? part : "Vec<\(part), \(size)>"
    }
}

extension String {
    /// The condition without its outer parentheses, about which the C++ compiler would warn.
    var withoutBrackets: String {
        guard hasPrefix("("), hasSuffix(")") else { return self }
        var depth = 0
        for (index, character) in enumerated() {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            if depth == 0 && index < count - 1 { return self }
        }
        return String(dropFirst().dropLast())
    }

    func letter(_ index: Int) -> Character { self[self.index(startIndex, offsetBy: index)] }

    func place(of letter: Character) -> Int? {
        firstIndex(of: letter).map { distance(from: startIndex, to: $0) }
    }
}
