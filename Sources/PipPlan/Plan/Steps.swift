public import PipFrames

/// A plane of a source's frame, or a part of it, to be copied into a texture.
public struct Upload: Sendable, Hashable {
    /// The source whose frame it reads.
    public var source: NodeID
    /// The plane of that frame.
    public var plane: Int
    /// The texture that it fills, from the upper left corner on.
    public var texture: RenderPlan.TextureIndex
    /// The part of the plane, in texels.
    public var region: PixelRect
    /// Bytes of the frame in one texel.
    public var bytesPerTexel: Int
    /// True when passes read the source's own memory, without a copy; a frame for which that cannot be is copied all
    /// the same.
    public var isShared = false

    /// Bytes that it moves.
    public var byteCount: Int { region.size.area * bytesPerTexel }
}

/// A texture to be filled with one value.
public struct Clear: Sendable, Hashable {
    /// The texture that is filled.
    public var texture: RenderPlan.TextureIndex
    /// The texel's first part, 0…1.
    public var red: Float
    /// The second part.
    public var green: Float
    /// The third part.
    public var blue: Float
    /// The fourth part.
    public var alpha: Float
}

/// A picture to be kept for the next frame: a copy from texture to texture.
public struct Keep: Sendable, Hashable {
    /// The texture that is kept.
    public var texture: RenderPlan.TextureIndex
    /// A texture with a history.
    public var history: RenderPlan.TextureIndex
    /// The sources whose frames it shows; without a frame of each, it is left out.
    public var sources: [NodeID]
}
