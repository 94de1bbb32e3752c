internal import PipEffects
internal import PipFrames

/// Assembles the GLSL text of a pass: reading the image, changing pixels, covering them and writing the result.
struct ProgramWriter {
    private var defines: [String] = []
    private var extensions: [String] = []
    private var parts: [ShaderSource] = []
    private(set) var uniforms: [Uniform] = []
    /// The textures with constant contents that the shader reads, with the names of their samplers.
    private(set) var constants: [(sampler: String, texture: ConstantTexture)] = []
    /// The further pictures that the shader reads, with the names of their samplers.
    private(set) var pictures: [(sampler: String, texture: RenderPlan.TextureIndex)] = []
    /// The tables that functions of the shader read directly, with the names of their samplers.
    private(set) var tables: [(sampler: String, texture: RenderPlan.TextureIndex)] = []

    /// The texture that keeps an earlier frame's result, and the name of a uniform.
    ///
    /// The uniform is 1 once the texture has been filled.
    private(set) var history: PassInput?

    mutating func define(_ name: String, _ value: String = "1") { defines.append("#define \(name) \(value)") }

    mutating func require(_ name: String) { extensions.append("#extension \(name) : require") }

    mutating func add(_ source: ShaderSource) { parts.append(source) }

    mutating func add(_ uniform: Uniform) { uniforms.append(uniform) }

    /// Adds an effect's function under a unique name.
    mutating func add(_ call: ShaderCall, as name: String) {
        let text = Self.replacing(in: call.source.text, name: name)
        parts.append(ShaderSource(call.source.name, text))
        for uniform in call.uniforms { uniforms.append(Uniform("\(name)_\(uniform.name)", uniform.value)) }
        for uniform in call.textures { constants.append(("\(name)_\(uniform.name)", uniform.texture)) }
    }

    /// The components that `shade` must compute.
    enum Part { case all, luma, chroma }

    /// Adds the function `shade`, which applies a segment's operations in order.
    ///
    /// - Parameters:
    ///   - operations: The operations.
    ///   - positions: The map from canvas pixels to positions in the chain.
    ///   - part: The components to compute, for a chain that keeps luma and chroma apart.
    mutating func addShade(_ operations: [Segment.Operation], positions: Mapping, part: Part) {
        var declarations: [String] = []
        var body: [String] = []
        for (index, operation) in operations.enumerated() {
            switch operation {
            case .matrix(let transform):
                body.append(addMatrix(transform, index: index, part: part, declarations: &declarations))
            case .curve(let curve):
                body.append(addCurve(curve, index: index, declarations: &declarations))
            case .pixel(let call, let map):
                add(call, as: "effect\(index)")
                let position = addPosition(positions.then(map), index: index, declarations: &declarations)
                body.append("c = effect\(index)(c, \(position));")
            case .combine(let call, let map, let others):
                add(call, as: "effect\(index)")
                let position = addPosition(positions.then(map), index: index, declarations: &declarations)
                if let table = others.first(where: \.isTable)?.image.textures.first {
                    tables.append(("effect\(index)_table", table))
                    body.append("c = effect\(index)(c, \(position));")
                    continue
                }
                let colors = others.enumerated().map { number, other in
                    addSecond(
                        other, map: positions.then(map), name: "\(index)_\(number)", declarations: &declarations)
                }
                body.append(
                    "c = effect\(index)(c, \(colors.joined(separator: ", ")), \(position));")
                // A NaN or a value out of range in the kept result could persist in all later frames.
                if others.contains(where: \.isHistory) {
                    body.append("c = mix(clamp(c, 0.0, 1.0), vec4(0.0), isnan(c));")
                }
            }
        }
        if !pictures.isEmpty { parts.append(LibraryShader.second) }
        if declarations.contains(where: { $0.hasPrefix("uniform sampler2D curve") }) {
            parts.append(LibraryShader.curve)
        }
        addShade(declarations, body)
    }

    /// Adds a `shade` function that leaves pixels unchanged.
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
            // Neighbouring pixels share chroma, so the compiler can share the chroma terms.
            return
                "c.rgb = matrix\(index)[0] * c.r + (matrix\(index)[1] * c.g + matrix\(index)[2] * c.b + offset\(index));"
        }
    }

    /// Returns the GLSL expression of a pixel's position in the chain, and adds the uniforms that it needs.
    private mutating func addPosition(_ map: Mapping, index: Int, declarations: inout [String]) -> String {
        guard map.b == 0, map.d == 0 else {
            declarations.append("uniform mat3 position\(index);")
            uniforms.append(Uniform("position\(index)", .matrix3(map.matrix3)))
            return "(position\(index) * vec3(p, 1.0)).xy"
        }
        declarations.append("uniform vec4 position\(index);")
        uniforms.append(.vector("position\(index)", Float(map.a), Float(map.e), Float(map.c), Float(map.f)))
        return "(p * position\(index).xy + position\(index).zw)"
    }

    /// Adds `lumaOf` and `chromaOf`, which convert the result of `shade` to Y'CbCr.
    ///
    /// Chroma is linear in its inputs, so `chromaOf` may take the mean of several pixels.
    ///
    /// `transform`: The conversion of the result to Y'CbCr; nil when the result is Y'CbCr already.
    mutating func addFinish(_ transform: ColorTransform?) {
        let transform = transform ?? .identity
        let rows = zip(transform.rows, transform.offset).map { row, offset in (row + [offset]).map { Float($0) } }
        for (name, row) in zip(["lumaRow", "cbRow", "crRow"], rows) {
            uniforms.append(.vector(name, row[0], row[1], row[2], row[3]))
        }
        parts.append(LibraryShader.finish)
    }

    /// Adds a curve as a polynomial, or as a table if the curve must be exact or no polynomial is close enough.
    private mutating func addCurve(_ curve: Curve, index: Int, declarations: inout [String]) -> String {
        let name = "curve\(index)"
        guard !curve.isExact, let polynomial = CurvePolynomial(curve) else {
            declarations.append("uniform sampler2D \(name);")
            constants.append((name, curve.table))
            return "c.rgb = alongCurve(\(name), c.rgb, ivec3(\(curve.columnCount == 1 ? "0" : "0, 1, 2")));"
        }
        let columns = polynomial.coefficients
        let type = columns.count == 1 ? "float" : "vec3"
        declarations.append("uniform \(type) \(name)[\(polynomial.degree + 1)];")
        let values = (0...polynomial.degree).flatMap { power in columns.map { $0[power] } }
        uniforms.append(Uniform(name, columns.count == 1 ? .floats(values) : .vectors3(values)))
        let sum = (0..<polynomial.degree).reversed().reduce("vec3(\(name)[\(polynomial.degree)])") { sum, power in
            "(\(sum) * x + \(name)[\(power)])"
        }
        let argument = "clamp(c.rgb, 0.0, 1.0)"
        return "{ vec3 x = \(polynomial.takesRoot ? "sqrt(\(argument))" : argument) * 2.0 - 1.0; c.rgb = \(sum); }"
    }

    /// Returns the GLSL expression that reads a further picture.
    ///
    /// `map` leads from canvas pixels to positions in the chain.
    private mutating func addSecond(
        _ other: SecondPicture, map: Mapping, name: String, declarations: inout [String]
    ) -> String {
        guard let texture = other.image.textures.first else { return "vec4(0.0)" }
        declarations += [
            "uniform sampler2D other\(name);", "uniform mat3 otherMap\(name);", "uniform ivec2 otherSize\(name);",
        ]
        pictures.append(("other\(name)", texture))
        let size = other.image.size
        uniforms.append(Uniform("otherMap\(name)", .matrix3(map.then(other.place).matrix3)))
        uniforms.append(Uniform("otherSize\(name)", .integers2(Int32(size.width), Int32(size.height))))
        let read = other.isSameSize ? "secondAt" : "secondBetween"
        let place = "(otherMap\(name) * vec3(p, 1.0)).xy, otherSize\(name), \(other.image.alpha != .none)"
        guard other.isHistory else { return "\(read)(other\(name), \(place))" }
        declarations.append("uniform float isFilled\(name);")
        history = PassInput(sampler: "isFilled\(name)", texture: texture)
        return "(isFilled\(name) > 0.5 ? \(read)(other\(name), \(place)) : c)"
    }

    /// The complete shader text.
    var program: FragmentProgram {
        let start =
            extensions + ["precision highp float;", "precision highp int;", "precision highp sampler2D;"]
            + defines
        return FragmentProgram(parts: [ShaderSource("pass", start.joined(separator: "\n") + "\n")] + parts)
    }

    /// Replaces `EFFECT` and `PREFIX(x)` in an effect's GLSL text by unique names.
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

extension ProgramWriter {
    /// Assembles the compute shader of a step that makes a table from a picture.
    init(_ step: TableStep, of picture: Image) {
        self.init()
        if picture.alpha != .none { define("ALPHA") }
        add(LibraryShader.table)
        add(LibraryShader.tableSteps)
        add(step.call, as: "tabulate")
        add(ShaderSource("main", "void main() { tabulate(); }\n"))
        add(Uniform("pictureSize", .integers2(Int32(picture.size.width), Int32(picture.size.height))))
    }
}
