internal import PipFrames

/// A GLSL file that defines an effect: its source, prepared for a shader of several effects, and its declarations.
struct ShaderFile: Sendable, Hashable {
    /// The signature of `EFFECT`, which decides how the effect is drawn.
    enum Form: String, Sendable, CaseIterable {
        case pixel = "vec4 EFFECT(vec4 color, vec2 position)"
        case neighbourhood = "vec4 EFFECT(vec4 around[9])"
        case warp = "vec2 EFFECT(vec2 position)"
        case sampler = "vec4 EFFECT(vec2 position)"
        case temporal = "vec4 EFFECT(vec4 color, vec4 previous, vec2 position)"

        /// The types of the result and the parameters, such as `vec4(vec4,vec2)`.
        fileprivate var types: String {
            switch self {
            case .pixel: "vec4(vec4,vec2)"
            case .neighbourhood: "vec4(vec4[9])"
            case .warp: "vec2(vec2)"
            case .sampler: "vec4(vec2)"
            case .temporal: "vec4(vec4,vec4,vec2)"
            }
        }
    }

    /// The largest size of a GLSL file, in bytes.
    static let byteLimit = 1 << 20
    /// The largest number of uniforms in a GLSL file.
    private static let parameterLimit = 32

    let path: String
    let summary: String
    let form: Form
    let parameters: [FileEffect.Parameter]
    let source: ShaderSource

    /// Reads and parses the GLSL file at `path`.
    ///
    /// - Throws: ``FileProblem`` that names the wrong line, if there is one.
    init(path: String) throws(FileProblem) {
        let file = try EffectFile(path, limit: Self.byteLimit)
        guard let text = String(validating: file.bytes, as: UTF8.self) else {
            throw FileProblem("\(path): the file is not text in UTF-8")
        }
        try self.init(text, path: path)
    }

    /// Parses the text of a GLSL file.
    ///
    /// Problems name the file by its `path`.
    init(_ text: String, path: String) throws(FileProblem) {
        self.path = path
        let scan = try ShaderScan(text, path: path)
        summary = scan.firstComment
        var parameters: [FileEffect.Parameter] = []
        for uniform in scan.uniforms {
            guard parameters.count < Self.parameterLimit else {
                throw FileProblem(
                    "\(path), line \(uniform.line): the file has more than \(Self.parameterLimit) uniforms, the most allowed"
                )
            }
            parameters.append(try FileEffect.Parameter(uniform, path: path))
        }
        self.parameters = parameters
        guard let signature = scan.signature else {
            throw FileProblem("\(path): the file has no function EFFECT, which must be one of \(Self.forms)")
        }
        guard let form = Form.allCases.first(where: { $0.types == signature.types }) else {
            throw FileProblem(
                "\(path), line \(signature.line): EFFECT is \(signature.types), but must be one of \(Self.forms)")
        }
        self.form = form
        source = ShaderSource(path, scan.prefixed)
    }

    private static var forms: String { Form.allCases.map(\.rawValue).joined(separator: "; ") }
}

extension FileEffect.Parameter {
    /// Parses a uniform's declaration and the comment after it, such as `0…1 = 0.5: how strong`.
    fileprivate init(_ uniform: ShaderScan.Uniform, path: String) throws(FileProblem) {
        let (name, place) = (uniform.name, "\(path), line \(uniform.line)")
        guard let components = ["float": 1, "vec2": 2, "vec3": 3, "vec4": 4][uniform.type] else {
            throw FileProblem(
                "\(place): \(name) has the type \(uniform.type), but must be float, vec2, vec3 or vec4")
        }
        let halves = uniform.comment.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let words = (halves.first ?? "").split(separator: "=", omittingEmptySubsequences: false).map { $0.trimmed }
        let example =
            switch components {
            case 1: "// 0…1 = 0.5: the strength"
            case 2: "// 0…1 = 0.5 0.5: the centre"
            default: "// color = #ff8000: the tint"
            }
        guard words.count == 2, let kind = ParameterKind(domain: words[0], components: components) else {
            throw FileProblem(
                "\(place): \(name) needs its range and default in a // comment at the end of its line, such as \(example)"
            )
        }
        guard let value = ParameterValue(words[1], as: kind), kind.allows(value) else {
            throw FileProblem(
                "\(place): the default of \(name) is \(words[1].isEmpty ? "empty" : words[1]), but must be \(kind.allowed)"
            )
        }
        self.name = name
        self.kind = kind
        defaultValue = value
        summary = halves.count == 2 ? halves[1].trimmed : ""
        self.components = components
    }
}

extension ParameterKind {
    /// Parses a uniform's type and range: `switch`, `color`, `0…1` or `whole 1…64`.
    ///
    /// Nil for any other text, and for a number of components that the range does not allow.
    fileprivate init?(domain: String, components: Int) {
        switch (domain, components) {
        case ("switch", 1): self = .flag
        case ("color", 3...4), ("colour", 3...4): self = .color
        default:
            let isWhole = domain.hasPrefix("whole ")
            let text = isWhole ? String(domain.dropFirst("whole ".count)) : domain
            guard let mark = ["…", "...", ".."].first(where: { text.contains($0) }),
                let range = text.firstRange(of: mark),
                let low = Float(text[..<range.lowerBound].trimmed),
                let high = Float(text[range.upperBound...].trimmed), low < high, low.isFinite, high.isFinite
            else { return nil }
            if !isWhole {
                self =
                    components == 1 ? .number(low...high) : .numbers(count: components...components, each: low...high)
            } else if components == 1, let first = Int(exactly: low), let last = Int(exactly: high) {
                self = .integer(first...last)
            } else {
                return nil
            }
        }
    }
}
