package import PipFrames

/// The frames that one or more sinks of the same format take, and the blits, draws and read-backs that make them.
package struct PlannedOutput: Sendable, Hashable {
    /// The pixel format, size and strides of the frames.
    package var layout: FrameLayout
    /// The kind of the frames' contents: a picture, or a measurement's table.
    package var content = FrameContent.picture
    /// The Y'CbCr matrix, range, primaries, transfer function and chroma siting of the frames.
    package var colorimetry: Colorimetry
    /// The sinks that take the frames.
    package var sinks: [NodeID]
    /// The parts that the CPU copies from sources' frames, before the draws and the copies of read-backs.
    package var blits: [Blit]
    /// The values of Y', Cb and Cr with which the planes are filled before the blits; nil where a blit or passes fill
    /// the planes.
    package var background: [UInt8]?
    /// The parts that are read back from textures.
    package var readbacks: [Readback]
    /// The steps in which the CPU draws into the frames, after the blits; nil for none.
    package var draws: OutputDraws?
    /// The sources that the frames show; their timestamps determine the frames' latency.
    package var sources: [NodeID]
}

/// The steps that draw directly into an output's frames.
package struct OutputDraws: Sendable, Hashable {
    /// The textures that stand for the output's planes in the steps.
    ///
    /// These textures have no memory of their own.
    package var planes: [RenderPlan.TextureIndex]
    /// The clears and row passes, in order.
    package var steps: [RenderPlan.Step]
}

/// A copy of a part of a texture into an output's plane.
package struct Readback: Sendable, Hashable {
    /// The texture that is read.
    package var texture: RenderPlan.TextureIndex
    /// The region that is read, in texels.
    package var region: PixelRect
    /// The index of the output's plane.
    package var plane: Int
    /// The number of bytes from the plane's first sample to the place of the region's first texel.
    package var offset: Int
    /// The number of the plane's rows from one row of the texture to the next: 2 for a texture of every second row.
    package var rowStep = 1
    /// The number of the plane's bytes that a texel holds.
    package var bytesPerTexel: Int

    /// The number of bytes that the read-back moves.
    package var byteCount: Int { region.size.area * bytesPerTexel }
}
