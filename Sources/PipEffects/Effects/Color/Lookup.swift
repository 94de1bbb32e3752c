/// Exchanges colours by a table in a picture, as photo editors make it: edit the neutral table like a photograph, and save it.
///
/// The picture is a PNG of 512×512 pixels: 8×8 tiles, red to the right and green down in each, blue from tile to tile.
///
/// Source: GPUImage, `GPUImageLookupFilter`; its presets' tables belong to others, so bring your own.
public struct Lookup: Effect {
    public static let name = "lookup"
    public static let summary = "exchanges colours by a table in a 512x512 PNG"
    public static let example: String? = "look.png"
    public static var parameters: [EffectParameter<Lookup>] {
        [
            EffectParameter("file", path: { $0.cube?.path ?? "" }, "a PNG of 512x512 pixels, 8x8 tiles") {
                path, effect throws(FileProblem) in
                effect.cube = try ColorCube(tiles: path)
            },
            EffectParameter("intensity", \.intensity, in: 0...1, neutral: 0, "1 is the table alone"),
        ]
    }

    /// From 0 (unchanged) to 1 (the table alone).
    public var intensity: Float = 1
    private var cube: ColorCube?

    /// Without a table, it changes nothing.
    public init() {}

    /// Reads a table.
    ///
    /// - Throws: ``EffectError`` when it cannot be read, or is not such a picture.
    public init(path: String, intensity: Float = 1) throws(EffectError) {
        self.intensity = intensity
        try Self.parameters[0].set(.file(path), in: &self, of: Self.name)
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        guard let cube, intensity > 0 else { return .none }
        return .pixel(cube.call(ShaderSource("Lookup.frag", PackageResources.Lookup_frag), intensity: intensity))
    }
}
