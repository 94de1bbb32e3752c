internal import PipFrames
internal import PipShaders

/// Puts the text of a pass together: how the image is read, what is done to a pixel, how it is covered and where it is written.
struct ProgramWriter {
    private var defines: [String] = []
    private var extensions: [String] = []
    private var parts: [ShaderSource] = []
    private(set) var uniforms: [Uniform] = []
    /// The curves that the pass reads as tables, by sampler.
    private(set) var curves: [(sampler: String, curve: Curve)] = []

    mutating func define(_ name: String, _ value: String = "1") { defines.append("#define \(name) \(value)") }

    mutating func require(_ name: String) { extensions.append("#extension \(name) : require") }

    mutating func add(_ source: ShaderSource) { parts.append(source) }

    mutating func add(_ uniform: Uniform) { uniforms.append(uniform) }

    /// Adds an effect's function under a name of its own.
    mutating func add(_ call: ShaderCall, as name: String) {
        let text = Self.replacing(in: call.source.text, name: name)
        parts.append(ShaderSource(call.source.name, text))
        for uniform in call.uniforms { uniforms.append(Uniform("\(name)_\(uniform.name)", uniform.value)) }
    }

    /// Which components of a pixel a pass wants.
    enum Part { case all, luma, chroma }

    /// Adds the function `shade`, which does a segment's operations in order.
    ///
    /// `positions`: From canvas pixels to positions in the chain.
    /// `part`: What is wanted of a chain that keeps luma and chroma apart.
    mutating func addShade(_ segment: Segment, positions: Mapping, part: Part) {
        var declarations: [String] = []
        var body: [String] = []
        for (index, operation) in segment.operations.enumerated() {
            switch operation {
            case .matrix(let transform):
                body.append(addMatrix(transform, index: index, part: part, declarations: &declarations))
            case .curve(let curve):
                declarations.append("uniform sampler2D curve\(index);")
                curves.append(("curve\(index)", curve))
                body.append("c.rgb = alongCurve(curve\(index), c.rgb);")
            case .pixel(let call, let map):
                add(call, as: "effect\(index)")
                declarations.append("uniform mat3 position\(index);")
                uniforms.append(Uniform("position\(index)", .matrix3(positions.then(map).matrix3)))
                body.append("c = effect\(index)(c, (position\(index) * vec3(p, 1.0)).xy);")
            }
        }
        if !curves.isEmpty { parts.append(LibraryShader.curve) }
        addShade(declarations, body)
    }

    /// Adds a `shade` that leaves pixels as they are.
    mutating func addEmptyShade() { addShade([], []) }

    private mutating func addShade(_ declarations: [String], _ body: [String]) {
        let lines =
            declarations + ["vec4 shade(vec4 c, vec2 p)", "{"] + body.map { "    \($0)" } + ["    return c;", "}"]
        parts.append(ShaderSource("shade", lines.joined(separator: "\n") + "\n"))
    }

    private mutating func addMatrix(
        _ transform: ColorTransform, index: Int, part: Part, declarations: inout [String]
    ) -> String {
        let rows = transform.rows.map { $0.map { Float($0) } }
        let offset = transform.offset.map { Float($0) }
        switch part {
        case .luma:
            declarations.append("uniform vec2 luma\(index);")
            uniforms.append(.vector("luma\(index)", rows[0][0], offset[0]))
            return "c.x = c.x * luma\(index).x + luma\(index).y;"
        case .chroma:
            declarations += ["uniform vec4 chroma\(index);", "uniform vec2 neutral\(index);"]
            uniforms.append(.vector("chroma\(index)", rows[1][1], rows[1][2], rows[2][1], rows[2][2]))
            uniforms.append(.vector("neutral\(index)", offset[1], offset[2]))
            return "c.yz = vec2(dot(chroma\(index).xy, c.yz), dot(chroma\(index).zw, c.yz)) + neutral\(index);"
        case .all:
            declarations += ["uniform mat3 matrix\(index);", "uniform vec3 offset\(index);"]
            uniforms.append(Uniform("matrix\(index)", .matrix3((0..<3).flatMap { column in rows.map { $0[column] } })))
            uniforms.append(.vector("offset\(index)", offset[0], offset[1], offset[2]))
            return "c.rgb = matrix\(index) * c.rgb + offset\(index);"
        }
    }

    /// The whole text.
    var program: FragmentProgram {
        let start =
            extensions + ["precision highp float;", "precision highp int;", "precision highp sampler2D;"]
            + defines
        return FragmentProgram(parts: [ShaderSource("pass", start.joined(separator: "\n") + "\n")] + parts)
    }

    /// An effect's text with `EFFECT` and `PREFIX(x)` made unique.
    private static func replacing(in text: String, name: String) -> String {
        var result = text.replacing("EFFECT", with: name)
        while let start = result.firstRange(of: "PREFIX(") {
            guard let end = result[start.upperBound...].firstIndex(of: ")") else { break }
            let inner = result[start.upperBound..<end]
            result.replaceSubrange(start.lowerBound...end, with: "\(name)_\(inner)")
        }
        return result
    }
}
