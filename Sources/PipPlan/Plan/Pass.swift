package import PipEffects
package import PipFrames

/// A draw call of OpenGL ES, or one dispatch of a compute shader.
package struct Pass: Sendable, Hashable {
    /// The name in descriptions and messages: the result and its effects, such as `luma of front: brightness,
    /// contrast`.
    package var label: String
    /// The fragment or compute shader.
    package var program: FragmentProgram
    /// The textures that the pass writes at once: one, or up to four of equal size.
    package var targets: [RenderPlan.TextureIndex]
    /// The regions that are drawn, in texels of the targets: at most eight; none for a compute shader.
    package var regions: [PixelRect]
    /// The blending of results with the texels in the targets.
    package var blending: Blending
    /// The textures that the shader reads, with the names of their samplers.
    package var inputs: [PassInput]
    /// The values of the shader's uniforms.
    package var uniforms: [Uniform]
    /// The sources whose frames the pass shows.
    ///
    /// The pass does not run while one of these sources has no frame.
    package var sources: [NodeID]
    /// The texture that keeps an earlier frame's result, and the name of a uniform.
    ///
    /// The uniform is 1 once the texture has been filled.
    package var history: PassInput?
    /// The number of pixels of the canvas or intermediate picture, or of samples of a filtered plane, that the pass
    /// draws.
    ///
    /// A compute shader counts the pixels that it reads, or the texels that it writes if it reads no picture.
    package var pixels: Int
    /// The number of work groups of a compute shader, across and down; nil for a draw.
    ///
    /// A compute shader writes one target.
    package var groups: PixelSize?

    /// The way in which results are combined with the targets' texels.
    package enum Blending: String, Sendable, Hashable {
        /// The result replaces the texel.
        case none
        /// Adds the texel, times (1 - the result's alpha), to the result.
        case premultiplied
        /// Adds the texel, times a weight for each component, to the result (dual-source blending).
        case weighted
    }
}

/// A texture and the sampler that reads it.
package struct PassInput: Sendable, Hashable {
    /// The sampler's name in the shader.
    ///
    /// The input that is a pass's history has the name of the uniform that tells whether the texture has been filled.
    package var sampler: String
    /// The texture that the sampler reads.
    package var texture: RenderPlan.TextureIndex
}

/// The GLSL text of a fragment or compute shader, in parts that keep the names of their files.
package struct FragmentProgram: Sendable, Hashable {
    /// The parts of the text, in order.
    package var parts: [ShaderSource]

    /// Creates a shader from parts of GLSL text.
    package init(parts: [ShaderSource]) { self.parts = parts }
}
