public import PipFrames

/// Frames of one format, made of blits and read-backs, for one or more sinks.
public struct PlannedOutput: Sendable, Hashable {
    /// The format, size and strides of its frames.
    public var layout: FrameLayout
    /// The contents of its frames.
    public var content = FrameContent.picture
    /// The colorimetry of its frames.
    public var colorimetry: Colorimetry
    /// The sinks that take them.
    public var sinks: [NodeID]
    /// Parts that the CPU writes from sources' frames, before the read-backs.
    public var blits: [Blit]
    /// Luma, Cb and Cr of the colour that the planes are filled with before; nil where blits fill them.
    public var background: [UInt8]?
    /// Parts that are read back from textures.
    public var readbacks: [Readback]
    /// The sources that it shows; their timestamps tell the frame's age.
    public var sources: [NodeID]
}

/// A part of a texture to be copied into a plane of an output.
public struct Readback: Sendable, Hashable {
    /// The texture that is read.
    public var texture: RenderPlan.TextureIndex
    /// In texels.
    public var region: PixelRect
    /// The plane of the output.
    public var plane: Int
    /// Bytes from the plane's first sample to where the region's first texel goes.
    public var offset: Int
    /// Rows of the plane from one row of the texture to the next: 2 when it holds every other one.
    public var rowStep = 1
    /// Bytes of the plane in one texel.
    public var bytesPerTexel: Int

    /// Bytes that it moves.
    public var byteCount: Int { region.size.area * bytesPerTexel }
}
