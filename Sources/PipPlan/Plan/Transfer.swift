package import PipFrames

/// A copy of a texture's contents between the CPU's memory and OpenGL ES.
package struct Transfer: Sendable, Hashable {
    /// The texture that is copied.
    package var texture: RenderPlan.TextureIndex
    /// The executor that needs the contents next.
    package var executor: Executor
    /// The sources whose frames the texture shows.
    ///
    /// The step does not run while one of these sources has no frame.
    package var sources: [NodeID]
    /// The number of bytes that the transfer moves.
    package var byteCount: Int
}
