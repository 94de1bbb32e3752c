/// An effect's GLSL function, with the values of its uniforms and its textures.
///
/// An effect returns the call in an ``EffectOperation``.
public struct ShaderCall: Sendable, Hashable {
    /// The GLSL source that declares the function `EFFECT`.
    public var source: ShaderSource
    /// The values of the function's uniforms.
    public var uniforms: [Uniform]
    /// The constant textures that the function reads.
    public var textures: [TextureUniform]
    /// True when the function may make an opaque pixel translucent.
    public var changesAlpha: Bool
    /// True when a small difference in the function's input can cause a large one in its result, as with thresholds.
    ///
    /// The planner then keeps the input at a higher precision.
    public var isSteep: Bool
    /// True when results exceed 0…1 or need more than 8 bits.
    ///
    /// Such results are stored as floating-point numbers where the renderer can draw into them.
    public var isWide: Bool
    /// True when the function multiplies red, green and blue by a factor of 0…1 that depends on the position alone.
    package var isShade = false

    /// Creates a call of a function with its uniforms, textures and flags.
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
