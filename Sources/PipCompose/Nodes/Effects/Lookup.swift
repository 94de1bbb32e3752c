internal import PipCodecs
public import PipEffects
internal import PipFrames

/// Maps colours through a lookup table that is stored as a picture.
///
/// To make a table, edit the neutral table like a photograph in a photo editor, and save it.
///
/// The picture is a PNG of 512×512 pixels: 8×8 tiles. Red rises to the right and green downwards in each tile; blue
/// rises from tile to tile.
///
/// This effect is declared beside the nodes, because it reads a PNG: the other effects need no picture library.
///
/// Source: GPUImage, `GPUImageLookupFilter`; its presets' tables belong to others, so bring your own.
public struct Lookup: Effect {
    public static let name = "lookup"
    public static let summary = "maps colours through a lookup table in a 512x512 PNG"
    public static let example: String? = "look.png"
    public static var parameters: [EffectParameter<Lookup>] {
        [
            EffectParameter("file", path: { $0.cube?.path ?? "" }, "a PNG of 512x512 pixels in 8 rows of 8 tiles") {
                path, effect throws(FileProblem) in
                effect.cube = try ColorCube(tiles: path)
            },
            EffectParameter("intensity", \.intensity, in: 0...1, neutral: 0, "1 is the table alone"),
        ]
    }

    /// The strength, from 0 (unchanged) to 1 (the table alone).
    public var intensity: Float = 1
    private var cube: ColorCube?

    /// Creates a lookup without a table, which changes nothing.
    public init() {}

    /// Reads the lookup table from the PNG file at `path`.
    ///
    /// - Throws: ``EffectError`` when the file cannot be read, is not a PNG, or does not have 512×512 pixels.
    public init(path: String, intensity: Float = 1) throws(EffectError) {
        self.intensity = intensity
        try Self.parameters[0].set(.file(path), in: &self, of: Self.name)
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        guard let cube, intensity > 0 else { return .none }
        return cube.trilinear(intensity: intensity)
    }
}

extension ColorCube {
    /// Reads the lookup table from the PNG file at `path`.
    fileprivate init(tiles path: String) throws(FileProblem) {
        let file = try EffectFile(path, limit: Self.byteLimit)
        let layout = FrameLayout(.rgba, Self.pictureSize)
        let buffer = FrameBuffer(layout)
        do throws(CodecError) {
            try file.bytes.withBytes { bytes throws(CodecError) in
                let size = try PNG.header(of: bytes, subject: path).size
                guard size == layout.size else {
                    throw CodecError(path, .failed, "a lookup table must have 512x512 pixels, not \(size)")
                }
                try PNG.decode(bytes, into: buffer, layout: layout, subject: path)
            }
        } catch {
            throw FileProblem("\(error)")
        }
        let frame = Frame(info: FrameInfo(layout: layout, colorimetry: .srgb), buffer: buffer)
        self.init(tiles: frame, path: path, checksum: file.checksum)
    }
}
