package import PipEffects
package import PipFrames

/// One draw, or one run of a compute shader.
package struct Pass: Sendable, Hashable {
    /// The result and the effects that lead to it, such as `luma of front: brightness, contrast`.
    package var label: String
    /// The shader.
    package var program: FragmentProgram
    /// The textures that are written at once: one, or up to four of equal size.
    package var targets: [RenderPlan.TextureIndex]
    /// The regions in texels of the targets: at most eight, none for a compute shader.
    package var regions: [PixelRect]
    /// The blending of the results with the texels in the target.
    package var blending: Blending
    /// The textures with the names of their samplers.
    package var inputs: [PassInput]
    /// The values of the shader's uniforms.
    package var uniforms: [Uniform]
    /// The sources whose frames the pass shows.
    ///
    /// The pass does not run while one of them has no frame.
    package var sources: [NodeID]
    /// The uniform that is 1 when an earlier frame has filled the history, and the history's texture.
    package var history: PassInput?
    /// The pixels of the canvas (or of the intermediate picture) that the pass covers, or reads for a compute shader.
    package var pixels: Int
    /// The groups of a compute shader across and down, which writes its one target; nil draws.
    package var groups: PixelSize?

    /// The blending of a result with the texel in the target.
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

/// The text of a fragment or compute shader, in parts that keep the names of their files.
package struct FragmentProgram: Sendable, Hashable {
    /// The parts, in order.
    package var parts: [ShaderSource]

    /// A shader from its parts.
    package init(parts: [ShaderSource]) { self.parts = parts }
}
