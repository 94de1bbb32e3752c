/// Writes a unit as a C++ struct whose member functions work on lanes.
struct Writer {
    private let unit: ShaderUnit
    private var lines: [String] = []
    private var indent = 1
    /// The mask of the conditions that vary around what is written; nil outside of them.
    private var mask: String?
    private var maskCount = 0
    private var function: Function?

    /// - Parameters:
    ///   - unit: The effect's text, with ``Variation`` marked.
    ///   - name: The struct's name.
    ///   - readsPicture: Whether it reads the picture where it likes.
    /// - Returns: The struct.
    /// - Throws: ``TranslationError`` for what cannot be translated.
    static func text(of unit: ShaderUnit, name: String, readsPicture: Bool) throws(TranslationError) -> String {
        var writer = Writer(unit: unit)
        try writer.writeMembers(readsPicture: readsPicture)
        for function in unit.functions { try writer.write(function) }
        return (["struct \(name) {"] + writer.lines + ["};"]).joined(separator: "\n") + "\n"
    }

    /// - Parameters:
    ///   - unit: The text of a shader that computes.
    ///   - name: The struct's name.
    ///   - regions: Its steps between barriers, and the variables that live from one to the next.
    /// - Returns: The struct.
    /// - Throws: ``TranslationError`` for what cannot be translated.
    static func text(
        of unit: ShaderUnit, name: String, regions: TableRegions
    ) throws(TranslationError) -> String {
        var writer = Writer(unit: unit)
        for variable in unit.shared { writer.add(writer.declaration(of: variable) + ";") }
        for variable in regions.variables {
            writer.add("\(writer.name(of: variable.type, varies: false)) \(variable.name)[64];")
        }
        try writer.writeMembers(readsPicture: false)
        for function in unit.functions
        where !regions.inlined.contains(function.name) && !regions.meets(function.name) { try writer.write(function) }
        writer.add("INLINE void run()")
        writer.add("{")
        writer.indent += 1
        for region in regions.regions {
            writer.add("for (lane = 0; lane < 64; lane++) {")
            writer.indent += 1
            try writer.write(region)
            writer.indent -= 1
            writer.add("}")
        }
        writer.indent -= 1
        writer.add("}")
        return (["struct \(name): TableAccess {"] + writer.lines + ["};"]).joined(separator: "\n") + "\n"
    }

    private init(unit: ShaderUnit) { self.unit = unit }

    private func failure(_ reason: String, _ line: Int) -> TranslationError {
        TranslationError(file: unit.file, line: line, reason: reason)
    }

    private mutating func add(_ line: String) {
        lines.append(String(repeating: "    ", count: indent) + line)
    }

    // MARK: Members

    private mutating func writeMembers(readsPicture: Bool) throws(TranslationError) {
        if readsPicture { add("PictureAccess access;") }
        for uniform in unit.uniforms { add(declaration(of: uniform) + ";") }
        for (constant, _) in unit.constants { add(declaration(of: constant) + ";") }
        add("INLINE void open(const PipEffectRow &row)")
        add("{")
        indent += 1
        let readsNumbers = unit.uniforms.contains { $0.type.base != .sampler }
        add(readsNumbers ? "const float *u = row.uniforms;" : "(void)row;")
        var place = 0
        var table = 0
        for uniform in unit.uniforms {
            if uniform.type.base == .sampler {
                add("\(uniform.name) = row.tables[\(table)];")
                table += 1
                continue
            }
            try writeLoad(of: uniform, &place)
        }
        for (constant, value) in unit.constants {
            guard case .list(let elements, _) = value else {
                add("\(constant.name) = \(try text(of: value));")
                continue
            }
            for (index, element) in elements.enumerated() {
                add("\(constant.name)[\(index)] = \(try text(of: element));")
            }
        }
        indent -= 1
        add("}")
    }

    private mutating func writeLoad(of uniform: Variable, _ place: inout Int) throws(TranslationError) {
        let type = uniform.type
        let conversion = type.base == .int ? "(int)" : ""
        guard type.base == .float || type.base == .int else {
            throw failure("uniform \(uniform.name) has a type that is not translated", 1)
        }
        func parts(_ count: Int, _ first: Int) -> String {
            (0..<count).map { "\(conversion)u[\(first + $0)]" }.joined(separator: ", ")
        }
        if let count = type.count {
            add("for (int i = 0; i < \(count); i++)")
            let own = (0..<type.size).map { "u[\(place) + \(type.size) * i + \($0)]" }.joined(separator: ", ")
            add("    \(uniform.name)[i] = \(type.size == 1 ? own : "{\(own)}");")
        } else if type.isMatrix {
            let columns = (0..<type.size).map { "{\(parts(type.size, place + $0 * type.size))}" }
            add("\(uniform.name) = {{\(columns.joined(separator: ", "))}};")
        } else {
            add("\(uniform.name) = \(type.size == 1 ? parts(1, place) : "{\(parts(type.size, place))}");")
        }
        place += type.floats
    }

    private func declaration(of variable: Variable) -> String {
        "\(name(of: variable.type, varies: variable.varies)) \(variable.name)"
            + (variable.type.count.map { "[\($0)]" } ?? "")
    }

    /// The C++ type of one component.
    private func partName(of type: ShaderType, varies: Bool) -> String {
        switch type.base {
        case .float: varies ? "F" : "float"
        case .int: varies ? "I" : "int"
        case .uint: varies ? "U" : "unsigned"
        case .bool: varies ? "I" : "bool"
        case .sampler: "PipTexture"
        case .void: "void"
        }
    }

    /// The C++ type of one element.
    private func name(of type: ShaderType, varies: Bool) -> String {
        let part = partName(of: type, varies: varies)
        if type.isMatrix { return "Mat<\(type.size)>" }
        return type.size == 1 ? part : "Vec<\(part), \(type.size)>"
    }

    // MARK: Functions

    private mutating func write(_ function: Function) throws(TranslationError) {
        self.function = function
        let parameters = function.parameters.map { parameter in
            let type = name(of: parameter.type, varies: parameter.varies)
            if let count = parameter.type.count { return "const \(type) (&\(parameter.name))[\(count)]" }
            return parameter.role == .output ? "\(type) &\(parameter.name)" : "\(type) \(parameter.name)"
        }
        let result = name(of: function.result, varies: function.varies)
        // What a shader computes may be kept in what its lanes share.
        let ending = unit.shared.isEmpty ? " const" : ""
        add("INLINE \(result) \(function.name)(\(parameters.joined(separator: ", ")))\(ending)")
        add("{")
        indent += 1
        if function.returnsEarly {
            guard case .give? = function.body.last, function.result.base != .void else {
                throw failure("a function that some pixels leave early ends with a return", function.line)
            }
            add("I isLive = I(-1);")
            add("\(result) given = {};")
        }
        try write(function.body)
        indent -= 1
        add("}")
    }

    private mutating func write(_ statements: [Statement]) throws(TranslationError) {
        for statement in statements { try write(statement) }
    }

    private mutating func write(_ statement: Statement) throws(TranslationError) {
        switch statement {
        case .declare(let variable, let value, _):
            let start = declaration(of: variable)
            guard let value else { return add(start + (variable.type.count == nil ? " = {};" : ";")) }
            if variable.type.count != nil { return add("const \(start) = \(try text(of: value));") }
            add("\(start) = \(try converted(value, to: variable.type, varies: variable.varies));")
        case .assign(let target, let sign, let value, let line): try writeAssignment(target, sign, value, line)
        case .run(let value, _): add(try text(of: value) + ";")
        case .branch(let condition, let body, let other, _): try writeBranch(condition, body, other)
        case .loop(let counter, let first, let condition, let isLiteral, let body, _):
            if isLiteral { add("#pragma clang loop unroll(full)") }
            add(
                "for (int \(counter.name) = \(try text(of: first)); \(try text(of: condition).withoutBrackets); \(counter.name)++) {"
            )
            indent += 1
            try write(body)
            indent -= 1
            add("}")
        case .repeats(let first, let condition, let step, let body, _):
            guard case .declare(let counter, let value?, _) = first,
                case .assign(.variable(let stepped), let sign, let change, _) = step
            else { return }
            let start = "int \(counter.name) = \(try self.text(of: value))"
            let end = "\(stepped.name) = \(stepped.name) \(sign) \(try self.text(of: change))"
            add("for (\(start); \(try self.text(of: condition).withoutBrackets); \(end)) {")
            indent += 1
            try write(body)
            indent -= 1
            add("}")
        case .give(let value, let line): try writeReturn(value, line)
        case .skip: add("continue;")
        }
    }

    private mutating func writeReturn(_ value: Expression?, _ line: Int) throws(TranslationError) {
        guard let function else { return }
        guard let value else {
            guard mask == nil else { throw failure("a return of nothing that differs from pixel to pixel", line) }
            return add("return;")
        }
        let type = name(of: function.result, varies: function.varies)
        let text = try converted(value, to: function.result, varies: function.varies)
        if let mask {
            add("given = as<\(type)>(select(both(isLive, \(mask)), \(text), given));")
            add("isLive = isLive & ~\(mask);")
        } else if function.returnsEarly {
            add("return as<\(type)>(select(isLive, \(text), given));")
        } else {
            add("return \(text);")
        }
    }

    private mutating func writeBranch(
        _ condition: Expression, _ body: [Statement], _ other: [Statement]
    ) throws(TranslationError) {
        let text = try text(of: condition)
        guard varies(condition) else {
            add("if (\(text.withoutBrackets)) {")
            indent += 1
            try write(body)
            indent -= 1
            add(other.isEmpty ? "}" : "} else {")
            guard !other.isEmpty else { return }
            indent += 1
            try write(other)
            indent -= 1
            return add("}")
        }
        let outer = mask
        maskCount += 1
        let own = "mask\(maskCount)"
        add("{")
        indent += 1
        add("const I \(own) = \(outer.map { "\($0) & " } ?? "")maskOf(\(text));")
        mask = own
        try write(body)
        if !other.isEmpty {
            maskCount += 1
            let rest = "mask\(maskCount)"
            add("const I \(rest) = \(outer.map { "\($0) & " } ?? "")~\(own);")
            mask = rest
            try write(other)
        }
        mask = outer
        indent -= 1
        add("}")
    }

    private mutating func writeAssignment(
        _ target: Expression, _ sign: String, _ value: Expression, _ line: Int
    ) throws(TranslationError) {
        guard let variable = target.root else { throw failure("this cannot be assigned to", line) }
        if case .member(let base, let field, _) = target, field.count > 1 {
            // Components one after the other, of what was there before.
            maskCount += 1
            let part = "part\(maskCount)"
            let old = try text(of: target)
            add("{")
            add("    const auto \(part) = \(sign.isEmpty ? try text(of: value) : try applied(sign, old, value));")
            let fields = try components(field, line)
            for (index, place) in fields.enumerated() {
                let own = "\(try text(of: base)).\("xyzw".letter(place))"
                let type = partName(of: variable.type, varies: variable.varies)
                add("    \(own) = \(masked("\(part).\("xyzw".letter(index))", own, variable, type: type));")
            }
            return add("}")
        }
        let own = try text(of: target)
        let type = elementType(of: target, variable)
        let text = sign.isEmpty ? try text(of: value) : try applied(sign, own, value)
        add("\(own) = \(masked(text, own, variable, type: type));")
    }

    /// A value where the mask says so, else what was there before.
    private func masked(_ text: String, _ own: String, _ variable: Variable, type: String) -> String {
        guard let mask, variable.varies else {
            return variable.varies ? "as<\(type)>(\(text))" : text
        }
        return "as<\(type)>(select(\(mask), \(text), \(own)))"
    }

    private func elementType(of target: Expression, _ variable: Variable) -> String {
        switch target {
        case .member: partName(of: variable.type, varies: variable.varies)
        case .element where variable.type.count == nil: partName(of: variable.type, varies: variable.varies)
        default: name(of: variable.type, varies: variable.varies)
        }
    }

    // MARK: Expressions

    private func converted(_ value: Expression, to type: ShaderType, varies: Bool) throws(TranslationError) -> String {
        let text = try text(of: value)
        guard varies else { return text }
        return type.base == .bool && type.size == 1 ? "maskOf(\(text))" : "as<\(name(of: type, varies: true))>(\(text))"
    }

    private func varies(_ expression: Expression) -> Bool {
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

    /// Both sides of an operator.
    ///
    /// A division by a whole number that is zero stops a program, unlike a shader.
    private func applied(_ sign: String, _ left: String, _ right: Expression) throws(TranslationError) -> String {
        let text = try text(of: right)
        if case .number(let divisor) = right, Double(divisor) != 0 { return "\(left) \(sign) \(text)" }
        switch sign {
        case "/": return "quotient(\(left), \(text))"
        case "%": return "remainder(\(left), \(text))"
        default: return "\(left) \(sign) \(text)"
        }
    }

    private func text(of expression: Expression) throws(TranslationError) -> String {
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
        if type.isMatrix { throw failure("matrices are made by uniforms alone", line) }
        switch (type.base, type.size) {
        case (.float, 1): return "toFloat(\(arguments))"
        case (.int, 1): return "toInt(\(arguments))"
        case (.uint, 1): return "toUint(\(arguments))"
        case (.float, let size): return "makeVec<\(size)>(\(arguments))"
        case (.int, let size): return "makeIVec<\(size)>(\(arguments))"
        case (.uint, let size): return "makeUVec<\(size)>(\(arguments))"
        default: throw failure("a value of this type cannot be made", line)
        }
    }

    private func element(_ base: Expression, _ index: Expression, _ line: Int) throws(TranslationError) -> String {
        let (own, place) = (try text(of: base), try text(of: index))
        guard case .variable(let variable) = base else {
            if varies(index) { throw failure("a component by an index that differs from pixel to pixel", line) }
            return "at(\(own), \(place))"
        }
        if variable.type.count != nil { return varies(index) ? "pick(\(own), \(place))" : "\(own)[\(place)]" }
        if varies(index) { throw failure("a component by an index that differs from pixel to pixel", line) }
        return variable.type.isMatrix ? "\(own).columns[\(place)]" : "at(\(own), \(place))"
    }

    private func components(_ field: String, _ line: Int) throws(TranslationError) -> [Int] {
        var places: [Int] = []
        for letter in field {
            guard let place = "xyzw".place(of: letter) ?? "rgba".place(of: letter) else {
                throw failure("\(field) is no component", line)
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
        if mask != nil, called.parameters.contains(where: { $0.role == .output }) {
            throw failure("a call that changes its arguments for some pixels only", line)
        }
        return "\(name)(\(texts.joined(separator: ", ")))"
    }
}

extension String {
    /// A condition without the brackets around all of it, of which the compiler would warn.
    fileprivate var withoutBrackets: String {
        guard hasPrefix("("), hasSuffix(")") else { return self }
        var depth = 0
        for (index, character) in enumerated() {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            if depth == 0 && index < count - 1 { return self }
        }
        return String(dropFirst().dropLast())
    }

    fileprivate func letter(_ index: Int) -> Character { self[self.index(startIndex, offsetBy: index)] }

    fileprivate func place(of letter: Character) -> Int? {
        firstIndex(of: letter).map { distance(from: startIndex, to: $0) }
    }
}
