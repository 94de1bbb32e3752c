/// Finds the variables and functions whose values may differ from pixel to pixel.
///
/// All other values are translated to scalars, and their loops and branches to plain C++.
struct Variation {
    private let unit: ShaderUnit
    private var hasChanged = false
    /// The number of conditions around the present statement that differ from pixel to pixel.
    private var depth = 0
    private var function: Function?

    /// Marks the variables and functions of a unit whose values may differ from pixel to pixel.
    ///
    /// - Throws: ``TranslationError`` for a loop whose number of iterations differs from pixel to pixel, for a
    ///   `continue` of some pixels only, and for a loop that only compute shaders may have.
    static func mark(_ unit: ShaderUnit) throws(TranslationError) {
        var variation = Variation(unit: unit)
        for parameter in unit.functions.last(where: { $0.name == "effect" })?.parameters ?? [] {
            parameter.varies = true
        }
        repeat {
            variation.hasChanged = false
            for function in unit.functions {
                variation.function = function
                variation.depth = 0
                try variation.look(at: function.body)
            }
        } while variation.hasChanged
    }

    private init(unit: ShaderUnit) { self.unit = unit }

    private mutating func mark(_ variable: Variable) {
        if !variable.varies { (variable.varies, hasChanged) = (true, true) }
    }

    private mutating func look(at statements: [Statement]) throws(TranslationError) {
        for statement in statements { try look(at: statement) }
    }

    private mutating func look(at statement: Statement) throws(TranslationError) {
        switch statement {
        case .declare(let variable, let value, _):
            variable.depth = depth
            if let value, varies(value) { mark(variable) }
        case .assign(let target, _, let value, _):
            let isVarying = varies(value)
            guard let variable = target.root else { return }
            if isVarying || depth > variable.depth || variesInIndex(target) { mark(variable) }
        case .run(let value, _): _ = varies(value)
        case .branch(let condition, let body, let other, _):
            let isVarying = varies(condition)
            if isVarying { depth += 1 }
            try look(at: body)
            try look(at: other)
            if isVarying { depth -= 1 }
        case .loop(let counter, let first, let condition, _, let body, let line):
            counter.depth = depth
            if varies(first) { mark(counter) }
            guard !varies(condition) else {
                throw TranslationError(
                    file: unit.file, line: line, reason: "the length of a loop must not differ from pixel to pixel")
            }
            try look(at: body)
        case .repeats(_, _, _, _, let line):
            throw TranslationError(
                file: unit.file, line: line, reason: "an effect's loop must count upwards by one to a bound")
        case .give(let value, _):
            // A return under a condition that differs from pixel to pixel makes the result differ, too.
            let isVarying = value.map { varies($0) } ?? false
            guard let function else { return }
            if depth > 0, !function.returnsEarly { (function.returnsEarly, hasChanged) = (true, true) }
            if !function.varies, isVarying || depth > 0 {
                (function.varies, hasChanged) = (true, true)
            }
        case .skip(let line):
            guard depth == 0 else {
                throw TranslationError(
                    file: unit.file, line: line, reason: "a `continue` must not differ from pixel to pixel")
            }
        }
    }

    private mutating func variesInIndex(_ target: Expression) -> Bool {
        switch target {
        case .element(let base, let index, _): varies(index) || variesInIndex(base)
        case .member(let base, _, _): variesInIndex(base)
        default: false
        }
    }

    private mutating func varies(_ expression: Expression) -> Bool {
        switch expression {
        case .number, .truth, .word: return false
        case .variable(let variable): return variable.varies
        case .unary(_, let value): return varies(value)
        case .binary(_, let left, let right):
            let isLeft = varies(left)
            return varies(right) || isLeft
        case .choice(let condition, let first, let second, _):
            let all = [varies(condition), varies(first), varies(second)]
            return all.contains(true)
        case .make(_, let parts, _), .list(let parts, _): return parts.map { varies($0) }.contains(true)
        case .element(let base, let index, _):
            let isBase = varies(base)
            return varies(index) || isBase
        case .member(let base, _, _): return varies(base)
        case .call(let name, let arguments, _):
            let all = arguments.map { varies($0) }
            if name == "PIXEL" || name == "SAMPLE" { return true }
            guard let called = unit.function(name, arguments.count) else { return all.contains(true) }
            for (index, parameter) in called.parameters.enumerated() {
                if all[index] { mark(parameter) }
                if parameter.role == .output, parameter.varies || depth > 0, let variable = arguments[index].root {
                    mark(variable)
                }
            }
            return called.varies
        }
    }
}

extension ShaderUnit {
    /// The function with a name and a number of parameters; nil for any other function, such as a built-in one of GLSL.
    func function(_ name: String, _ count: Int) -> Function? {
        functions.first { $0.name == name && $0.parameters.count == count }
    }
}

extension Expression {
    /// The variable that an assignment to this expression changes; nil where there is none.
    var root: Variable? {
        switch self {
        case .variable(let variable): variable
        case .element(let base, _, _), .member(let base, _, _): base.root
        default: nil
        }
    }
}
