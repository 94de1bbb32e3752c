/// An effect's GLSL function, the values of its uniforms and the textures that it reads.
public struct ShaderCall: Sendable, Hashable {
    /// The GLSL text.
    public var source: ShaderSource
    /// The values of its uniforms.
    public var uniforms: [Uniform]
    /// The constant textures that it reads.
    public var textures: [TextureUniform]
    /// True when an opaque pixel may come out translucent.
    public var changesAlpha: Bool
    /// True when a small difference in what it reads can make a large one: thresholds and other jumps.
    ///
    /// Its input is rounded with more care then.
    public var isSteep: Bool
    /// True when results exceed 0…1 or need more than 8 bits: they are stored as 16-bit floats, where the renderer can.
    public var isWide: Bool

    /// A call of a function with values, textures and flags.
    public init(
        _ source: ShaderSource, _ uniforms: [Uniform] = [], textures: [TextureUniform] = [], changesAlpha: Bool = false,
        isSteep: Bool = false, isWide: Bool = false
    ) {
        self.source = source
        self.uniforms = uniforms
        self.textures = textures
        self.changesAlpha = changesAlpha
        self.isSteep = isSteep
        self.isWide = isWide
    }
}
