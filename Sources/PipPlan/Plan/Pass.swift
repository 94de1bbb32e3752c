public import PipEffects
public import PipFrames

/// One draw, or one run of a compute shader.
public struct Pass: Sendable, Hashable {
    /// The result and what is done for it, such as `luma of front: brightness, contrast`.
    public var label: String
    /// The shader.
    public var program: FragmentProgram
    /// One, or up to four of one size that are drawn at once.
    public var targets: [RenderPlan.TextureIndex]
    /// In texels of the targets; at most eight, none where it computes.
    public var regions: [PixelRect]
    /// The blending of its results with the texels that are there.
    public var blending: Blending
    /// The textures by the names of their samplers.
    public var inputs: [PassInput]
    /// The values of the shader's uniforms.
    public var uniforms: [Uniform]
    /// The sources whose frames it shows; without a frame of each, it is left out.
    public var sources: [NodeID]
    /// The uniform that says, by 1, that a history was filled by an earlier frame, and the history's texture.
    public var history: PassInput?
    /// Pixels of the canvas (or of the intermediate picture) that it covers, or reads where it computes.
    public var pixels: Int
    /// Groups of a compute shader across and down, which writes its one target; nil draws.
    public var groups: PixelSize?

    /// The blending of a result with the texel that is there.
    public enum Blending: String, Sendable, Hashable {
        /// The target takes the result.
        case none
        /// Result plus target times (1 - result's alpha).
        case premultiplied
        /// Result plus target times weight, part by part.
        case weighted
    }
}

/// A texture and the sampler that reads it.
public struct PassInput: Sendable, Hashable {
    /// The sampler's name in the shader.
    public var sampler: String
    /// The texture.
    public var texture: RenderPlan.TextureIndex
}

/// The text of a fragment shader, or of a compute shader, in parts that keep the names of their files.
public struct FragmentProgram: Sendable, Hashable {
    /// The parts, in order.
    public var parts: [ShaderSource]

    /// A shader of several parts.
    public init(parts: [ShaderSource]) { self.parts = parts }
}
