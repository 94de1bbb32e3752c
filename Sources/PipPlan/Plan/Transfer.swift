package import PipFrames

/// A texture that is moved from one executor to the other, between the CPU's memory and OpenGL ES.
package struct Transfer: Sendable, Hashable {
    /// The texture that is moved.
    package var texture: RenderPlan.TextureIndex
    /// The executor that reads the texture afterwards.
    package var executor: Executor
    /// The sources whose frames the texture shows.
    ///
    /// The step does not run while one of them has no frame.
    package var sources: [NodeID]
    /// Bytes that the transfer moves.
    package var byteCount: Int
}
