package import PipEffects
package import PipFrames

/// One draw, or one run of a compute shader.
package struct Pass: Sendable, Hashable {
    /// The result and what is done for it, such as `luma of front: brightness, contrast`.
    package var label: String
    /// The shader.
    package var program: FragmentProgram
    /// One, or up to four of one size that are drawn at once.
    package var targets: [RenderPlan.TextureIndex]
    /// In texels of the targets; at most eight, none where it computes.
    package var regions: [PixelRect]
    /// The blending of its results with the texels that are there.
    package var blending: Blending
    /// The textures by the names of their samplers.
    package var inputs: [PassInput]
    /// The values of the shader's uniforms.
    package var uniforms: [Uniform]
    /// The sources whose frames it shows; without a frame of each, it is left out.
    package var sources: [NodeID]
    /// The uniform that says, by 1, that a history was filled by an earlier frame, and the history's texture.
    package var history: PassInput?
    /// Pixels of the canvas (or of the intermediate picture) that it covers, or reads where it computes.
    package var pixels: Int
    /// Groups of a compute shader across and down, which writes its one target; nil draws.
    package var groups: PixelSize?

    /// The blending of a result with the texel that is there.
    package enum Blending: String, Sendable, Hashable {
        /// The target takes the result.
        case none
        /// Result plus target times (1 - result's alpha).
        case premultiplied
        /// Result plus target times weight, part by part.
        case weighted
    }
}

/// A texture and the sampler that reads it.
package struct PassInput: Sendable, Hashable {
    /// The sampler's name in the shader.
    package var sampler: String
    /// The texture.
    package var texture: RenderPlan.TextureIndex
}

/// The text of a fragment shader, or of a compute shader, in parts that keep the names of their files.
package struct FragmentProgram: Sendable, Hashable {
    /// The parts, in order.
    package var parts: [ShaderSource]

    /// A shader of several parts.
    package init(parts: [ShaderSource]) { self.parts = parts }
}
