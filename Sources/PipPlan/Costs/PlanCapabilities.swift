internal import PipEffects

/// The capabilities of the machine's renderers that influence plans.
package struct PlanCapabilities: Sendable, Hashable {
    /// The largest width and height of a texture, in texels.
    package var maxTextureSize = 16384
    /// True when dual-source blending can weigh each component of a texel separately.
    package var hasDualSourceBlending = true
    /// True when passes can draw into textures of 32-bit floats.
    package var hasFloatTargets = true
    /// True when passes can draw into textures of 16-bit floats.
    package var hasHalfFloatTargets = true
    /// True when dma-bufs can be imported as textures.
    package var hasBufferImport = false
    /// The performance traits of the renderer, from which the planner predicts the cheapest of several equivalent
    /// plans.
    package var renderer = RendererTraits.gpu
    /// The executors among which the planner may choose.
    package var executors: Set<Executor> = [.gl]
    /// The effects for which the CPU has vector code.
    package var rows = RowCapabilities()
    /// The measured times of the machine's operations; nil where they were not measured.
    package var weights: WorkWeights?

    /// The capabilities of a GPU that can do everything but import buffers.
    package init() {}

    /// The capabilities of the same machine when the CPU draws.
    var ofRows: PlanCapabilities {
        var own = self
        (own.hasFloatTargets, own.hasHalfFloatTargets, own.hasBufferImport) = (true, false, false)
        return own
    }

    /// The measured times of the machine's operations, or else a typical machine's times.
    package var workWeights: WorkWeights { weights ?? .typical(shadesOnCPU: renderer.shadesOnCPU) }

    /// The texel format of planes that should not be rounded to 8 bits: 16-bit floats, or 32-bit floats if 16-bit ones
    /// are slow and the renderer can draw into 32-bit ones.
    ///
    /// `rgba8` if the renderer cannot draw into textures of the preferred format.
    var exactTexel: TexelFormat {
        if !renderer.hasFastHalfFloats && hasFloatTargets { return .rgba32f }
        return hasHalfFloatTargets ? .rgba16f : .rgba8
    }

    /// The texel format of pictures that need more than 8 bits: 16-bit floats, or 32-bit floats if the renderer can
    /// draw into those only.
    ///
    /// `rgba8` if the renderer cannot draw into textures of floats.
    var wideTexel: TexelFormat { hasHalfFloatTargets ? .rgba16f : hasFloatTargets ? .rgba32f : .rgba8 }
}

/// Properties of a renderer that make one plan of a picture cheaper than another.
package struct RendererTraits: Sendable, Hashable {
    /// True when shading runs on the CPU, as in Mesa's software renderer.
    package var shadesOnCPU: Bool
    /// True when the CPU reads frames at the full speed of its memory.
    ///
    /// Behind a GPU, cameras' buffers may be uncached.
    package var readsFramesQuickly: Bool
    /// True when invocations of a compute shader add to shared memory in parallel, without a lock for each value.
    package var hasFastAtomics: Bool
    /// True when 16-bit floats are faster than 32-bit floats.
    package var hasFastHalfFloats: Bool
    /// True when each plane of an imported dma-buf may have its own stride.
    ///
    /// Mesa's software renderer uses the first plane's stride for all planes.
    package var importsStridesOfPlanes: Bool

    /// The traits that the planner assumes for every GPU.
    package static let gpu = RendererTraits(
        shadesOnCPU: false, readsFramesQuickly: false, hasFastAtomics: true, hasFastHalfFloats: true,
        importsStridesOfPlanes: true)

    /// The traits that the planner assumes for a renderer that draws on the CPU.
    package static let software = RendererTraits(
        shadesOnCPU: true, readsFramesQuickly: true, hasFastAtomics: false, hasFastHalfFloats: false,
        importsStridesOfPlanes: false)
}
