package import PipFrames

/// A copy of a plane of a source's frame, or of a part of the plane, into a texture, or the import of the plane's
/// memory.
package struct Upload: Sendable, Hashable {
    /// The source whose frame is read.
    package var source: NodeID
    /// The index of the frame's plane.
    package var plane: Int
    /// The texture that is filled, from the upper left corner on.
    package var texture: RenderPlan.TextureIndex
    /// The part of the plane that is copied, in texels.
    package var region: PixelRect
    /// The number of the frame's bytes that a texel holds.
    package var bytesPerTexel: Int
    /// True when passes read the source's memory in place.
    ///
    /// A frame whose memory cannot be read in place is copied.
    package var isShared = false

    /// The number of bytes that the upload copies, or that passes read in place.
    package var byteCount: Int { region.size.area * bytesPerTexel }
}

/// Fills a texture with one value.
package struct Clear: Sendable, Hashable {
    /// The texture that is filled.
    package var texture: RenderPlan.TextureIndex
    /// The first component of the value, 0…1.
    package var red: Float
    /// The second component of the value, 0…1.
    package var green: Float
    /// The third component of the value, 0…1.
    package var blue: Float
    /// The fourth component of the value, 0…1.
    package var alpha: Float
}

/// A copy of a picture into another texture, which keeps the copy for the next frame.
package struct Keep: Sendable, Hashable {
    /// The texture that is copied.
    package var texture: RenderPlan.TextureIndex
    /// The texture that keeps the copy.
    package var history: RenderPlan.TextureIndex
    /// The sources whose frames the picture shows.
    ///
    /// The step does not run while one of these sources has no frame.
    package var sources: [NodeID]
}
