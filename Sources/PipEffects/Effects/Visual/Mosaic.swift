internal import PipFrames

/// Composes the picture from small tiles of letters, dots or stitches, chosen by brightness.
///
/// Source: GPUImage, `GPUImageMosaicFilter`: the luma of a cell's centre selects a tile of an atlas, which is
/// multiplied by the cell's colour.
public struct Mosaic: Effect {
    /// The set of motifs for the tiles of a ``Mosaic``; each set has motifs from dark to light.
    public enum Tiles: String, Sendable, CaseIterable {
        case letters, dots, stitches
    }

    public static let name = "mosaic"
    public static let summary = "composes the picture from letters, dots or stitches"
    public static var parameters: [EffectParameter<Mosaic>] {
        [
            EffectParameter(
                "size", \.size, in: 0.004...0.5, "the side of a tile, in shares of the picture's shorter side"),
            EffectParameter("tiles", \.tiles, "the motifs of the tiles"),
            EffectParameter("color", \.isColored, "whether tiles have the picture's colours; otherwise they are white"),
        ]
    }

    /// The side of a tile, in shares of the picture's shorter side.
    public var size: Float = 0.025
    /// The set of motifs for the tiles: letters, dots or stitches.
    public var tiles = Tiles.letters
    /// True for motifs in the picture's colours, false for white motifs.
    public var isColored = true

    public init() {}
    public init(size: Float, tiles: Tiles = .letters, isColored: Bool = true) {
        self.size = size
        self.tiles = tiles
        self.isColored = isColored
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        let cell = Uniform.vector("cell", size / Float(context.sides.x), size / Float(context.sides.y))
        let atlas = TileAtlas(tiles)
        return .sequence([
            .warp(ShaderCall(ShaderSource("Pixellate.frag", PackageResources.Pixellate_frag), [cell])),
            .pixel(
                ShaderCall(
                    ShaderSource("Mosaic.frag", PackageResources.Mosaic_frag),
                    [cell, context.luma, .vector("tiles", Float(TileAtlas.count), isColored ? 1 : 0)],
                    textures: [TextureUniform("atlas", atlas.texture)])),
        ])
    }
}
