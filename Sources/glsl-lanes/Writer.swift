/// Writes a shader as a C++ struct whose member functions process several pixels (lanes) at once.
struct Writer {
    private let unit: ShaderUnit
    private var lines: [String] = []
    private var indent = 1
    /// The C++ name of the mask of pixels for which the present statement runs; nil where the statement runs for all
    /// pixels.
    private var mask: String?
    private var maskCount = 0
    private var function: Function?

    /// - Parameters:
    ///   - unit: The effect's declarations, after ``Variation/mark(_:)``.
    ///   - name: The name of the C++ struct.
    ///   - readsPicture: True when the effect reads the picture at any position.
    /// - Returns: The C++ text of the struct.
    /// - Throws: ``TranslationError`` when a declaration or a statement cannot be translated.
    static func text(of unit: ShaderUnit, name: String, readsPicture: Bool) throws(TranslationError) -> String {
        var writer = Writer(unit: unit)
        try writer.writeMembers(readsPicture: readsPicture)
        for function in unit.functions { try writer.write(function) }
        return (["struct \(name) {"] + writer.lines + ["};"]).joined(separator: "\n") + "\n"
    }

    /// - Parameters:
    ///   - unit: The declarations of a compute shader.
    ///   - name: The name of the C++ struct.
    ///   - regions: The shader's statements between barriers, and the variables that last from one region to the next.
    /// - Returns: The C++ text of the struct.
    /// - Throws: ``TranslationError`` when a statement cannot be translated.
    static func text(
        of unit: ShaderUnit, name: String, regions: TableRegions
    ) throws(TranslationError) -> String {
        var writer = Writer(unit: unit)
        for variable in unit.shared { writer.add(variable.declaration + ";") }
        for variable in regions.variables {
            writer.add("\(variable.type.name(varies: false)) \(variable.name)[64];")
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

    private var expressions: ExpressionWriter { ExpressionWriter(unit: unit, isMasked: mask != nil) }

    private func failure(_ reason: String, _ line: Int) -> TranslationError {
        TranslationError(file: unit.file, line: line, reason: reason)
    }

    private mutating func add(_ line: String) {
        lines.append(String(repeating: "    ", count: indent) + line)
    }

    // MARK: Members

    private mutating func writeMembers(readsPicture: Bool) throws(TranslationError) {
        if readsPicture { add("PictureAccess access;") }
        for uniform in unit.uniforms { add(uniform.declaration + ";") }
        for (constant, _) in unit.constants { add(constant.declaration + ";") }
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
                add("\(constant.name) = \(try expressions.text(of: value));")
                continue
            }
            for (index, element) in elements.enumerated() {
                add("\(constant.name)[\(index)] = \(try expressions.text(of: element));")
            }
        }
        indent -= 1
        add("}")
    }

    private mutating func writeLoad(of uniform: Variable, _ place: inout Int) throws(TranslationError) {
        let type = uniform.type
        let conversion = type.base == .int ? "(int)" : ""
        guard type.base == .float || type.base == .int else {
            throw failure("uniform \(uniform.name) must have a type of float or int", 1)
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

    // MARK: Functions

    private mutating func write(_ function: Function) throws(TranslationError) {
        self.function = function
        let parameters = function.parameters.map { parameter in
            let type = parameter.type.name(varies: parameter.varies)
            if let count = parameter.type.count { return "const \(type) (&\(parameter.name))[\(count)]" }
            return parameter.role == .output ? "\(type) &\(parameter.name)" : "\(type) \(parameter.name)"
        }
        let result = function.result.name(varies: function.varies)
        // A compute shader's functions may write to shared variables, so they are not `const`.
        let ending = unit.shared.isEmpty ? " const" : ""
        add("INLINE \(result) \(function.name)(\(parameters.joined(separator: ", ")))\(ending)")
        add("{")
        indent += 1
        if function.returnsEarly {
            guard case .give? = function.body.last, function.result.base != .void else {
                throw failure(
                    "some pixels leave the function \(function.name) early, so the function must return a value and must end with a return",
                    function.line)
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
            let start = variable.declaration
            guard let value else { return add(start + (variable.type.count == nil ? " = {};" : ";")) }
            if variable.type.count != nil { return add("const \(start) = \(try expressions.text(of: value));") }
            add("\(start) = \(try expressions.converted(value, to: variable.type, varies: variable.varies));")
        case .assign(let target, let sign, let value, let line): try writeAssignment(target, sign, value, line)
        case .run(let value, _): add(try expressions.text(of: value) + ";")
        case .branch(let condition, let body, let other, _): try writeBranch(condition, body, other)
        case .loop(let counter, let first, let condition, let isLiteral, let body, _):
            if isLiteral { add("#pragma clang loop unroll(full)") }
            add(
                "for (int \(counter.name) = \(try expressions.text(of: first)); \(try expressions.text(of: condition).withoutBrackets); \(counter.name)++) {"
            )
            indent += 1
            try write(body)
            indent -= 1
            add("}")
        case .repeats(let first, let condition, let step, let body, _):
            guard case .declare(let counter, let value?, _) = first,
                case .assign(.variable(let stepped), let sign, let change, _) = step
            else { return }
            let start = "int \(counter.name) = \(try expressions.text(of: value))"
            let end = "\(stepped.name) = \(stepped.name) \(sign) \(try expressions.text(of: change))"
            add("for (\(start); \(try expressions.text(of: condition).withoutBrackets); \(end)) {")
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
            guard mask == nil else {
                throw failure(
                    "a return without a value must not stand in a condition that differs from pixel to pixel", line)
            }
            return add("return;")
        }
        let type = function.result.name(varies: function.varies)
        let text = try expressions.converted(value, to: function.result, varies: function.varies)
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
        let text = try expressions.text(of: condition)
        guard expressions.varies(condition) else {
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
        guard let variable = target.root else {
            throw failure("the left side of an assignment must be a variable, an element or a component", line)
        }
        if case .member(let base, let field, _) = target, field.count > 1 {
            // Components are assigned one by one, but all are computed from the old values.
            maskCount += 1
            let part = "part\(maskCount)"
            let old = try expressions.text(of: target)
            add("{")
            add(
                "    const auto \(part) = \(sign.isEmpty ? try expressions.text(of: value) : try expressions.applied(sign, old, value));"
            )
            let fields = try expressions.components(field, line)
            for (index, place) in fields.enumerated() {
                let own = "\(try expressions.text(of: base)).\("xyzw".letter(place))"
                let type = variable.type.partName(varies: variable.varies)
                add("    \(own) = \(masked("\(part).\("xyzw".letter(index))", own, variable, type: type));")
            }
            return add("}")
        }
        let own = try expressions.text(of: target)
        let type = elementType(of: target, variable)
        let text = sign.isEmpty ? try expressions.text(of: value) : try expressions.applied(sign, own, value)
        add("\(own) = \(masked(text, own, variable, type: type));")
    }

    /// Returns the C++ that selects the new value where the mask is set, and the old value elsewhere.
    private func masked(_ text: String, _ own: String, _ variable: Variable, type: String) -> String {
        guard let mask, variable.varies else {
            return variable.varies ? "as<\(type)>(\(text))" : text
        }
        return "as<\(type)>(select(\(mask), \(text), \(own)))"
    }

    private func elementType(of target: Expression, _ variable: Variable) -> String {
        switch target {
        case .member: variable.type.partName(varies: variable.varies)
        case .element where variable.type.count == nil: variable.type.partName(varies: variable.varies)
        default: variable.type.name(varies: variable.varies)
        }
    }
}
