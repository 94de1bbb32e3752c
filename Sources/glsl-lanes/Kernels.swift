import PipEffects

/// A GLSL function with its translation to vector code.
struct Kernel {
    /// The kind of function, which decides how it is called.
    enum Family: String {
        case pixel, combine, combineThree, neighbourhood, sampler, warp
    }

    let source: ShaderSource
    /// The name of the C++ struct.
    let name: String
    let family: Family
    let unit: ShaderUnit
    let text: String

    /// - Parameters:
    ///   - source: The GLSL source of an effect, blend or filter.
    ///   - name: The name of the C++ struct.
    /// - Throws: ``TranslationError`` when the source cannot be translated.
    init(_ source: ShaderSource, name: String) throws(TranslationError) {
        self.source = source
        self.name = name
        unit = try Parser.unit(of: source.text, file: source.name)
        guard let effect = unit.functions.last(where: { $0.name == "effect" }),
            let family = Family(effect)
        else {
            throw TranslationError(
                file: source.name, line: 1, reason: "the file must declare EFFECT with a signature of EffectOperation")
        }
        self.family = family
        try Variation.mark(unit)
        text = try Writer.text(of: unit, name: name, readsPicture: family == .sampler)
    }
}

extension Kernel.Family {
    fileprivate init?(_ effect: Function) {
        let types = effect.parameters.map { "\($0.type.size)\($0.type.count == nil ? "" : "[]")" }
        switch (types.joined(separator: " "), effect.result.size) {
        case ("4 2", 4): self = .pixel
        case ("4 4 2", 4): self = .combine
        case ("4 4 4 2", 4): self = .combineThree
        case ("4[]", 4): self = .neighbourhood
        case ("2", 4): self = .sampler
        case ("2", 2): self = .warp
        default: return nil
        }
    }
}

/// All functions that are translated, and the C++ file that contains them.
struct Kernels {
    let kernels: [Kernel]

    /// - Parameter sources: The functions' GLSL sources. Equal sources become one function.
    /// - Throws: ``TranslationError`` for the first source that cannot be translated.
    init(_ sources: [ShaderSource]) throws(TranslationError) {
        var found: [UInt64: Kernel] = [:]
        var names: [String: Int] = [:]
        var kernels: [Kernel] = []
        for source in sources where found[source.identity] == nil {
            let stem = String(source.name.prefix { $0 != "." })
            let number = (names[stem] ?? 0) + 1
            names[stem] = number
            let kernel = try Kernel(source, name: number == 1 ? stem : "\(stem)\(number)")
            found[source.identity] = kernel
            kernels.append(kernel)
        }
        self.kernels = kernels
    }

    /// The GLSL sources of all blends, as the planner requests them.
    static var blends: [ShaderSource] {
        let blends = BlendKind.allCases.flatMap { kind in
            [false, true].flatMap { isInverted in
                var mode = BlendMode(kind)
                mode.isInverted = isInverted
                let roles: [BlendMode.Role] = [.node(isMasked: false), .node(isMasked: true), .layer, .linearLayer]
                return roles.map { mode.call($0).source }
            }
        }
        return blends + [LinearLayer.source]
    }

    /// Writes the C++ file of the shaders that compute tables.
    static func text(of tables: [TableKernel]) -> String {
        var parts = ["// Made from Shaders/ by `make lanes`. What is changed here is lost.\n"]
        parts += tables.map(\.text) + tables.compactMap { $0.uniforms }
        let sorted = tables.sorted { $0.source.identity < $1.source.identity }
        parts.append(
            "// Sorted by identity.\nstatic constexpr PipTableMaker tableMakers[] = {\n"
                + sorted.map { "    \($0.entry),\n" }.joined() + "};\n")
        return parts.joined(separator: "\n")
    }

    /// The C++ file of all functions.
    var text: String {
        var parts = ["// Made from Shaders/ by `make lanes`. What is changed here is lost.\n"]
        parts += kernels.map(\.text)
        parts += kernels.compactMap(\.uniforms) + kernels.compactMap(\.tables)
        let sorted = kernels.sorted { $0.source.identity < $1.source.identity }
        parts.append(
            "// Sorted by identity.\nstatic constexpr PipEffect effects[] = {\n"
                + sorted.map { "    \($0.entry),\n" }.joined() + "};\n")
        return parts.joined(separator: "\n")
    }
}

extension Kernel {
    private var numbers: [Variable] { unit.uniforms.filter { $0.type.base != .sampler } }
    private var samplers: [Variable] { unit.uniforms.filter { $0.type.base == .sampler } }

    fileprivate var uniforms: String? {
        guard !numbers.isEmpty else { return nil }
        let entries = numbers.map { "{\"\($0.name.dropFirst(2))\", \($0.type.floats)}" }.joined(separator: ", ")
        return "static constexpr PipUniform uniformsOf\(name)[] = {\(entries)};\n"
    }

    fileprivate var tables: String? {
        guard !samplers.isEmpty else { return nil }
        let entries = samplers.map { "\"\($0.name.dropFirst(2))\"" }.joined(separator: ", ")
        return "static constexpr const char *tablesOf\(name)[] = {\(entries)};\n"
    }

    fileprivate var entry: String {
        let loop = "\(family.rawValue)Loop<\(name), "
        let lists =
            (numbers.isEmpty ? "nullptr, 0" : "uniformsOf\(name), \(numbers.count)") + ", "
            + (samplers.isEmpty ? "nullptr, 0" : "tablesOf\(name), \(samplers.count)")
        let identity = "0x" + String(source.identity, radix: 16) + "u"
        return "{\"\(source.name)\", \(identity), {\(loop)false>, \(loop)true>}, \(lists)}"
    }
}

extension TableKernel {
    fileprivate var uniforms: String? {
        guard !unit.uniforms.isEmpty else { return nil }
        let entries = unit.uniforms.map { "{\"\($0.name.dropFirst(2))\", \($0.type.floats)}" }
        return "static constexpr PipUniform uniformsOf\(name)[] = {\(entries.joined(separator: ", "))};\n"
    }

    fileprivate var entry: String {
        let list = unit.uniforms.isEmpty ? "nullptr, 0" : "uniformsOf\(name), \(unit.uniforms.count)"
        let identity = "0x" + String(source.identity, radix: 16) + "u"
        return "{\"\(source.name)\", \(identity), makeTable<\(name)>, \(list)}"
    }
}
