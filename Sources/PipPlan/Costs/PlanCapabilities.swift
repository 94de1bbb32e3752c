internal import PipEffects

/// The capabilities of the machine that draws, as far as plans depend on them.
package struct PlanCapabilities: Sendable, Hashable {
    /// The largest width and height of a texture, in texels.
    package var maxTextureSize = 16384
    /// True when dual-source blending gives each component of a texel a weight of its own.
    package var hasDualSourceBlending = true
    /// True when passes can write 32-bit floats.
    package var hasFloatTargets = true
    /// True when passes can write 16-bit floats.
    package var hasHalfFloatTargets = true
    /// True when dma-bufs can be imported as textures.
    package var hasBufferImport = false
    /// The strengths of the renderer, by which plans of the same picture are chosen.
    package var renderer = RendererTraits.gpu
    /// The executors that may draw.
    package var executors: Set<Executor> = [.gl]
    /// The effects that the CPU draws.
    package var rows = RowCapabilities()
    /// The times that the machine takes for its work; nil where they were not measured.
    package var weights: WorkWeights?

    /// The capabilities of a GPU that can do everything but import buffers.
    package init() {}

    /// The same machine with the CPU as the executor.
    var ofRows: PlanCapabilities {
        var own = self
        (own.hasFloatTargets, own.hasHalfFloatTargets, own.hasBufferImport) = (true, false, false)
        return own
    }

    /// The measured times of the machine's work; those of a typical machine where none were measured.
    package var workWeights: WorkWeights { weights ?? .typical(shadesOnCPU: renderer.shadesOnCPU) }

    /// The texel format of planes that must not be rounded.
    var exactTexel: TexelFormat {
        if !renderer.hasFastHalfFloats && hasFloatTargets { return .rgba32f }
        return hasHalfFloatTargets ? .rgba16f : .rgba8
    }

    /// The texel format of pictures that need more than 8 bits.
    var wideTexel: TexelFormat { hasHalfFloatTargets ? .rgba16f : hasFloatTargets ? .rgba32f : .rgba8 }
}

/// Properties of a renderer that make one plan of a picture cheaper than another.
package struct RendererTraits: Sendable, Hashable {
    /// True when shading takes the CPU's own time.
    package var shadesOnCPU: Bool
    /// True when the CPU reads sources' frames at the speed of its memory; behind a GPU, cameras' buffers may be
    /// uncached.
    package var readsFramesQuickly: Bool
    /// True when lanes of a compute shader add to shared memory at the same time, without a lock for each value.
    package var hasFastAtomics: Bool
    /// True when 16-bit floats are faster than 32-bit floats.
    package var hasFastHalfFloats: Bool
    /// True when planes of one dma-buf may have strides of their own; Mesa's software renderer takes each for the
    /// first.
    package var importsStridesOfPlanes: Bool

    /// The traits of a GPU.
    package static let gpu = RendererTraits(
        shadesOnCPU: false, readsFramesQuickly: false, hasFastAtomics: true, hasFastHalfFloats: true,
        importsStridesOfPlanes: true)

    /// The traits of a renderer that draws on the CPU.
    package static let software = RendererTraits(
        shadesOnCPU: true, readsFramesQuickly: true, hasFastAtomics: false, hasFastHalfFloats: false,
        importsStridesOfPlanes: false)
}
