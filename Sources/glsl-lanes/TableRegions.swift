import PipEffects

/// The statements of a compute shader, divided into regions at the barriers.
///
/// All 64 lanes of a work group run the statements of a region, one lane after the other, before the first lane runs
/// the next region.
struct TableRegions {
    private(set) var regions: [[Statement]] = [[]]
    /// The variables whose values must last from one region to the next; each lane has a copy of each variable.
    private(set) var variables: [Variable] = []
    /// The names of the functions whose statements become parts of the regions: `effect`, and those with barriers.
    private(set) var inlined: Set<String> = ["effect"]
    private let unit: ShaderUnit

    /// - Parameter unit: The shader's declarations.
    /// - Throws: ``TranslationError`` for a barrier within a condition or a loop, for a second call of a function with
    ///   a barrier, and for a shader without `EFFECT`.
    init(_ unit: ShaderUnit) throws(TranslationError) {
        self.unit = unit
        guard let effect = unit.functions.last(where: { $0.name == "effect" }) else {
            throw TranslationError(file: unit.file, line: 1, reason: "the shader must declare void EFFECT()")
        }
        try take(effect.body)
    }

    private mutating func take(_ statements: [Statement]) throws(TranslationError) {
        for statement in statements {
            switch statement {
            case .run(.call("meet", _, _), _): regions.append([])
            case .run(.call(let name, let arguments, let line), _) where meets(name):
                guard let called = unit.function(name, arguments.count), inlined.insert(name).inserted else {
                    throw TranslationError(
                        file: unit.file, line: line, reason: "\(name) contains a barrier, and must not be called twice")
                }
                for (parameter, argument) in zip(called.parameters, arguments) {
                    keep(parameter, as: "\(name)_\(parameter.name)")
                    add(.assign(.variable(parameter), "", argument, line: line))
                }
                try take(called.body)
            case .declare(let variable, let value, let line):
                keep(variable, as: variable.name)
                if let value { add(.assign(.variable(variable), "", value, line: line)) }
            default:
                guard !meets(statement) else {
                    throw TranslationError(
                        file: unit.file, line: statement.line,
                        reason: "meet() must not be called within a condition or a loop")
                }
                add(statement)
            }
        }
    }

    private mutating func add(_ statement: Statement) { regions[regions.count - 1].append(statement) }

    private mutating func keep(_ variable: Variable, as name: String) {
        // Two functions may have variables of the same name.
        let number = variables.count { $0.name == name || $0.name.hasPrefix("\(name)_") }
        let kept = number == 0 ? name : "\(name)_\(number)"
        variables.append(Variable(kept, variable.type, .local))
        variable.text = "\(kept)[lane]"
    }

    /// True when a function contains a barrier, in which case its statements are parts of the regions.
    func meets(_ name: String) -> Bool {
        name == "meet" || unit.functions.contains { $0.name == name && $0.body.contains(where: meets) }
    }

    private func meets(_ statement: Statement) -> Bool {
        switch statement {
        case .run(.call(let name, _, _), _): meets(name)
        case .branch(_, let body, let other, _): (body + other).contains(where: meets)
        case .loop(_, _, _, _, let body, _), .repeats(_, _, _, let body, _): body.contains(where: meets)
        default: false
        }
    }
}

extension Statement {
    fileprivate var line: Int {
        switch self {
        case .declare(_, _, let line), .assign(_, _, _, let line), .run(_, let line), .branch(_, _, _, let line),
            .loop(_, _, _, _, _, let line), .repeats(_, _, _, _, let line), .give(_, let line), .skip(let line):
            line
        }
    }
}

/// A compute shader that makes a table of a picture, such as a histogram.
struct TableKernel {
    let source: ShaderSource
    let name: String
    let unit: ShaderUnit
    let text: String

    /// - Parameters:
    ///   - source: The shader's GLSL source.
    ///   - library: The GLSL source of the functions that all these shaders may call.
    ///   - name: The name of the C++ struct.
    /// - Throws: ``TranslationError`` when the source cannot be translated.
    init(_ source: ShaderSource, library: String, name: String) throws(TranslationError) {
        self.source = source
        self.name = name
        let words = [
            ("lane", "int"), ("pictureSize", "ivec2"), ("gl_WorkGroupID", "uvec3"), ("gl_NumWorkGroups", "uvec3"),
            ("table", "sampler2D"), ("result", "sampler2D"),
        ]
        let known = words.compactMap { name, type in ShaderType(type).map { Variable(name, $0, .local) } }
        unit = try Parser.unit(of: library + source.text, file: source.name, known: known)
        text = try Writer.text(of: unit, name: name, regions: try TableRegions(unit))
    }
}
