package import PipFrames

/// A copy of a source's plane, or of a part of it, into a texture.
package struct Upload: Sendable, Hashable {
    /// The source whose frame is read.
    package var source: NodeID
    /// The index of the frame's plane.
    package var plane: Int
    /// The texture that is filled, from its upper left corner on.
    package var texture: RenderPlan.TextureIndex
    /// The part of the plane, in texels.
    package var region: PixelRect
    /// Bytes of the frame in one texel.
    package var bytesPerTexel: Int
    /// True when passes read the source's memory in place.
    ///
    /// A frame for which that is impossible is copied.
    package var isShared = false

    /// Bytes that the upload moves.
    package var byteCount: Int { region.size.area * bytesPerTexel }
}

/// A texture that is filled with one value.
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

/// A picture that is kept for the next frame, by a copy from texture to texture.
package struct Keep: Sendable, Hashable {
    /// The texture that is kept.
    package var texture: RenderPlan.TextureIndex
    /// The texture that keeps the picture.
    package var history: RenderPlan.TextureIndex
    /// The sources whose frames the picture shows.
    ///
    /// The step does not run while one of them has no frame.
    package var sources: [NodeID]
}
