package import PipFrames

/// A plane of a source's frame, or a part of it, to be copied into a texture.
package struct Upload: Sendable, Hashable {
    /// The source whose frame it reads.
    package var source: NodeID
    /// The plane of that frame.
    package var plane: Int
    /// The texture that it fills, from the upper left corner on.
    package var texture: RenderPlan.TextureIndex
    /// The part of the plane, in texels.
    package var region: PixelRect
    /// Bytes of the frame in one texel.
    package var bytesPerTexel: Int
    /// True when passes read the source's own memory, without a copy; a frame for which that cannot be is copied all
    /// the same.
    package var isShared = false

    /// Bytes that it moves.
    package var byteCount: Int { region.size.area * bytesPerTexel }
}

/// A texture to be filled with one value.
package struct Clear: Sendable, Hashable {
    /// The texture that is filled.
    package var texture: RenderPlan.TextureIndex
    /// The texel's first part, 0…1.
    package var red: Float
    /// The second part.
    package var green: Float
    /// The third part.
    package var blue: Float
    /// The fourth part.
    package var alpha: Float
}

/// A picture to be kept for the next frame: a copy from texture to texture.
package struct Keep: Sendable, Hashable {
    /// The texture that is kept.
    package var texture: RenderPlan.TextureIndex
    /// A texture with a history.
    package var history: RenderPlan.TextureIndex
    /// The sources whose frames it shows; without a frame of each, it is left out.
    package var sources: [NodeID]
}
