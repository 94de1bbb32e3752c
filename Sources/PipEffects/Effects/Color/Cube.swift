/// Maps colours through a lookup table in a `.cube` file, the common format for looks in video.
///
/// Cubes may have 2 to 65 entries an edge, and one-dimensional tables 2 to 65536 entries.
///
/// Source: Adobe, "Cube LUT Specification" 1.0.
public struct Cube: Effect {
    /// The interpolation between the entries of a cube: tetrahedral or trilinear.
    public enum Interpolation: String, Sendable, CaseIterable {
        /// Interpolates between four of the eight nearest entries, which is faster and keeps greys free of tints.
        case tetrahedral
        /// Interpolates between the eight nearest entries.
        case trilinear
    }

    public static let name = "cube"
    public static let summary = "maps colours through the lookup table of a .cube file"
    public static let example: String? = "look.cube"
    public static var parameters: [EffectParameter<Cube>] {
        [
            EffectParameter("file", path: { $0.path }, "a .cube file, at most 16 MB") {
                path, effect throws(FileProblem) in
                effect.table = try Table(path)
                effect.path = path
            },
            EffectParameter("intensity", \.intensity, in: 0...1, neutral: 0, "1 is the table alone"),
            EffectParameter("interpolation", \.interpolation, "the interpolation between the table's entries"),
        ]
    }

    /// The strength, from 0 (unchanged) to 1 (the table alone).
    public var intensity: Float = 1
    /// The interpolation between the cube's entries; curves are always interpolated linearly.
    public var interpolation = Interpolation.tetrahedral
    private var path = ""
    private var table: Table?

    /// Creates an effect without a file, which changes nothing.
    public init() {}

    /// Reads the `.cube` file at `path`.
    ///
    /// - Throws: ``EffectError`` when the file cannot be read, or is not a valid `.cube` file. The message names the
    ///   wrong
    ///   line, if there is one.
    public init(path: String, intensity: Float = 1) throws(EffectError) {
        self.intensity = intensity
        try Self.parameters[0].set(.file(path), in: &self, of: Self.name)
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        guard let table, intensity > 0 else { return .none }
        switch (table, interpolation) {
        case (.curves(let label, let columns), _):
            let share = Double(intensity)
            func column(_ index: Int) -> Curve.Function {
                let column = columns[index]
                return { $0 + (column($0) - $0) * share }
            }
            return .curve(
                Curve(label: "\(label) \(intensity)", red: column(0), green: column(1), blue: column(2)))
        case (.cube(let cube), .tetrahedral):
            return .pixel(cube.call(ShaderSource("Cube.frag", PackageResources.Cube_frag), intensity: intensity))
        case (.cube(let cube), .trilinear):
            return cube.trilinear(intensity: intensity)
        }
    }
}

/// The table in a `.cube` file: a cube, or one curve for each component.
private enum Table: Sendable {
    case cube(ColorCube)
    case curves(label: String, [Column])

    /// The curve of one component, linear between its entries.
    struct Column: Sendable {
        let low: Double
        let high: Double
        let values: [Float]

        func callAsFunction(_ value: Double) -> Double {
            let place = min(max((value - low) / (high - low), 0), 1) * Double(values.count - 1)
            let index = min(Int(place), values.count - 2)
            let (first, second) = (Double(values[index]), Double(values[index + 1]))
            return first + (second - first) * (place - Double(index))
        }
    }

    init(_ path: String) throws(FileProblem) {
        let file = try EffectFile(path, limit: ColorCube.byteLimit)
        let text = try CubeFile(file.bytes, path: path)
        if text.isCube {
            self = .cube(
                ColorCube(
                    path: path, checksum: file.checksum, edge: text.count, low: text.low, high: text.high,
                    values: text.values))
            return
        }
        let columns = (0..<3).map { part in
            Column(
                low: Double(text.low[part]), high: Double(text.high[part]),
                values: stride(from: part, to: text.values.count, by: 3).map { text.values[$0] })
        }
        self = .curves(label: "curves of \(path) \(file.checksum)", columns)
    }
}
