package import PipFrames

/// A texture that one executor filled, brought to the other: between the CPU's memory and OpenGL ES.
package struct Transfer: Sendable, Hashable {
    /// What is brought.
    package var texture: RenderPlan.TextureIndex
    /// The executor that reads it from then on.
    package var executor: Executor
    /// The sources whose frames it shows; without a frame of each, it is left out.
    package var sources: [NodeID]
    /// Bytes that it moves.
    package var byteCount: Int
}
