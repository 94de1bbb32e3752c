internal import PipFrames

/// An effect read from a GLSL file: the file's function, with the parameters that the file declares.
///
/// ```glsl
/// // Tints a picture.
/// uniform float amount;  // 0…1 = 0.5: how strong
/// uniform vec3 tint;     // color = #ff8000: the colour at full strength
///
/// vec4 EFFECT(vec4 color, vec2 position)
/// {
///     float luma = dot(color.rgb, vec3(0.2126, 0.7152, 0.0722));
///     return vec4(mix(color.rgb, luma * tint, amount), color.a);
/// }
/// ```
///
/// The signature of `EFFECT` selects the kind of operation: see ``EffectOperation``. OpenGL ES draws the effect.
/// Messages of the driver's compiler name the file and its line.
public struct FileEffect: Effect {
    public static let name = "file"
    public static let summary = "draws the function of a GLSL file"
    public static var parameters: [EffectParameter<FileEffect>] { [] }

    /// A parameter that the GLSL file declares.
    public struct Parameter: Sendable, Hashable {
        /// The uniform's name.
        public let name: String
        /// One line of help; empty where the file has none.
        public let summary: String
        /// The type and range of the parameter's values.
        public let kind: ParameterKind
        /// The value that the parameter has until another one is set.
        public let defaultValue: ParameterValue
        /// The number of components of the uniform.
        let components: Int
    }

    private var file: ShaderFile?
    private var values: [String: ParameterValue] = [:]

    /// Creates an effect without a file, which changes nothing.
    public init() {}

    /// Reads the GLSL file at `path`.
    ///
    /// - Parameter path: The file, with any suffix.
    /// - Throws: ``EffectError`` when the file cannot be read, or is not a valid effect: for example, when `EFFECT` has
    ///   no
    ///   known signature, or a uniform no range and default value. Compiler errors are not thrown here: the driver
    ///   compiles the effect later.
    public init(path: String) throws(EffectError) {
        do throws(FileProblem) {
            file = try ShaderFile(path: path)
        } catch {
            throw EffectError(effect: Self.name, parameter: "path", value: path, problem: .file(reason: error.reason))
        }
    }

    /// The path of the GLSL file; empty for none.
    public var path: String { file?.path ?? "" }
    /// The first `//` comment before the file's code, without its slashes; empty where there is none.
    public var about: String { file?.summary ?? "" }
    /// The parameters that the file declares, in the order of the file; the first one is the main parameter.
    public var settings: [Parameter] { file?.parameters ?? [] }

    public var title: String { path.isEmpty ? Self.name : path }

    /// The value of a parameter that the file declares; nil when there is no such parameter.
    public func value(of name: String) -> ParameterValue? {
        settings.first { $0.name == name }.map { values[name] ?? $0.defaultValue }
    }

    /// Sets a parameter that the file declares, from text as written on the command line.
    ///
    /// - Parameters:
    ///   - name: The parameter's name.
    ///   - text: The value.
    /// - Throws: ``EffectError`` when the file declares no such parameter, or the text is not a valid value of the
    ///   parameter. Then nothing changes.
    public mutating func set(_ name: String, text: String) throws(EffectError) {
        guard let parameter = settings.first(where: { $0.name == name }) else {
            let names = settings.map(\.name)
            let list = names.isEmpty ? "it has no parameters" : "its parameters are \(names.joined(separator: ", "))"
            throw EffectError(
                effect: title, parameter: name, value: text,
                problem: .file(reason: "the file declares no such parameter; \(list)"))
        }
        guard let value = ParameterValue(text, as: parameter.kind) else {
            throw EffectError(effect: title, parameter: name, value: text, problem: .unreadable(parameter.kind))
        }
        guard parameter.kind.allows(value) else {
            throw EffectError(effect: title, parameter: name, value: text, problem: .notAllowed(parameter.kind))
        }
        values[name] = value
    }

    /// Reads the effect's file again.
    ///
    /// A parameter keeps its value if the changed file still declares the parameter and allows the value.
    ///
    /// - Returns: The effect with the present contents of the file.
    /// - Throws: ``EffectError`` for the same reasons as ``init(path:)``.
    public func reloaded() throws(EffectError) -> FileEffect {
        var fresh = try FileEffect(path: path)
        fresh.values = values.filter { name, value in
            fresh.settings.contains { $0.name == name && $0.kind.allows(value) }
        }
        return fresh
    }

    /// True when both effects have the same path, file contents and set parameter values.
    public func draws(as other: FileEffect) -> Bool { file == other.file && values == other.values }

    public func operation(in context: EffectContext) -> EffectOperation {
        guard let file else { return .none }
        let uniforms = file.parameters.map { parameter in
            Uniform(parameter.name, parameter.uniform(values[parameter.name] ?? parameter.defaultValue))
        }
        // Safe assumptions for an unknown function: its results may be translucent, and change abruptly.
        let call = ShaderCall(file.source, uniforms, changesAlpha: true, isSteep: true)
        return switch file.form {
        case .pixel: .pixel(call)
        case .neighbourhood: .neighbourhood(call)
        case .warp: .warp(call)
        case .sampler: .sampler(call)
        case .temporal: .temporal(call)
        }
    }
}

extension FileEffect.Parameter {
    fileprivate func uniform(_ value: ParameterValue) -> UniformValue {
        let numbers: [Float] =
            switch value {
            case .number(let number): [number]
            case .integer(let number): [Float(number)]
            case .flag(let isOn): [isOn ? 1 : 0]
            case .color(let color): [color.red, color.green, color.blue, color.alpha].map { Float($0) }
            case .numbers(let numbers): numbers
            case .choice, .points, .file: []
            }
        func number(_ index: Int) -> Float { index < numbers.count ? numbers[index] : 0 }
        return switch components {
        case 2: .vector2(number(0), number(1))
        case 3: .vector3(number(0), number(1), number(2))
        case 4: .vector4(number(0), number(1), number(2), number(3))
        default: .float(number(0))
        }
    }
}
