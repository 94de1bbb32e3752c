package import PipFrames

/// The frames of one format for one or more sinks, made by blits and read-backs.
package struct PlannedOutput: Sendable, Hashable {
    /// The format, size and strides of the frames.
    package var layout: FrameLayout
    /// The contents of the frames.
    package var content = FrameContent.picture
    /// The colorimetry of the frames.
    package var colorimetry: Colorimetry
    /// The sinks that take the frames.
    package var sinks: [NodeID]
    /// Parts that the CPU writes from sources' frames, before the read-backs.
    package var blits: [Blit]
    /// Luma, Cb and Cr of the colour that fills the planes first; nil where blits fill them.
    package var background: [UInt8]?
    /// Parts that are read back from textures.
    package var readbacks: [Readback]
    /// The steps by which the CPU draws into the frames, after the blits; nil for none.
    package var draws: OutputDraws?
    /// The sources that the frames show, whose timestamps tell the frames' age.
    package var sources: [NodeID]
}

/// Steps that draw into an output's own frames.
package struct OutputDraws: Sendable, Hashable {
    /// The textures by which the steps name the output's planes.
    ///
    /// They have no memory of their own.
    package var planes: [RenderPlan.TextureIndex]
    /// Clears and row passes, in order.
    package var steps: [RenderPlan.Step]
}

/// A part of a texture to be copied into a plane of an output.
package struct Readback: Sendable, Hashable {
    /// The texture that is read.
    package var texture: RenderPlan.TextureIndex
    /// The region in texels.
    package var region: PixelRect
    /// The index of the output's plane.
    package var plane: Int
    /// Bytes from the plane's first sample to the position of the region's first texel.
    package var offset: Int
    /// Rows of the plane from one row of the texture to the next: 2 for a texture with every other row.
    package var rowStep = 1
    /// Bytes of the plane in one texel.
    package var bytesPerTexel: Int

    /// Bytes that the read-back moves.
    package var byteCount: Int { region.size.area * bytesPerTexel }
}
