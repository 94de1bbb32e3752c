package import PipFrames

/// Frames of one format, made of blits and read-backs, for one or more sinks.
package struct PlannedOutput: Sendable, Hashable {
    /// The format, size and strides of its frames.
    package var layout: FrameLayout
    /// The contents of its frames.
    package var content = FrameContent.picture
    /// The colorimetry of its frames.
    package var colorimetry: Colorimetry
    /// The sinks that take them.
    package var sinks: [NodeID]
    /// Parts that the CPU writes from sources' frames, before the read-backs.
    package var blits: [Blit]
    /// Luma, Cb and Cr of the colour that the planes are filled with before; nil where blits fill them.
    package var background: [UInt8]?
    /// Parts that are read back from textures.
    package var readbacks: [Readback]
    /// What the CPU draws into its frames, after the blits; nil where nothing is drawn so.
    package var draws: OutputDraws?
    /// The sources that it shows; their timestamps tell the frame's age.
    package var sources: [NodeID]
}

/// Steps that draw into an output's own frames.
package struct OutputDraws: Sendable, Hashable {
    /// The textures by whose indices the steps name the planes; they have no memory of their own.
    package var planes: [RenderPlan.TextureIndex]
    /// Fillings and row passes, in order.
    package var steps: [RenderPlan.Step]
}

/// A part of a texture to be copied into a plane of an output.
package struct Readback: Sendable, Hashable {
    /// The texture that is read.
    package var texture: RenderPlan.TextureIndex
    /// In texels.
    package var region: PixelRect
    /// The plane of the output.
    package var plane: Int
    /// Bytes from the plane's first sample to where the region's first texel goes.
    package var offset: Int
    /// Rows of the plane from one row of the texture to the next: 2 when it holds every other one.
    package var rowStep = 1
    /// Bytes of the plane in one texel.
    package var bytesPerTexel: Int

    /// Bytes that it moves.
    package var byteCount: Int { region.size.area * bytesPerTexel }
}
