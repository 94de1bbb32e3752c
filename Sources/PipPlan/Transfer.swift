public import PipFrames
public import PipGraph

/// A plane of a source's frame, or a part of it, to be copied into a texture.
public struct Upload: Sendable, Hashable {
    public var source: NodeID
    public var plane: Int
    public var texture: RenderPlan.TextureIndex
    /// In texels of the plane.
    ///
    /// It goes to the texture's upper left corner.
    public var region: PixelRect
    public var bytesPerTexel: Int

    public var byteCount: Int { region.size.area * bytesPerTexel }
}

/// A texture to be filled with one value.
public struct Clear: Sendable, Hashable {
    public var texture: RenderPlan.TextureIndex
    public var red: Float
    public var green: Float
    public var blue: Float
    public var alpha: Float
}

/// A plane that a source's frame and an output have in common.
public struct PlaneCopy: Sendable, Hashable {
    public var source: NodeID
    public var plane: Int
    public var byteCount: Int
}

/// A part of a texture to be copied into a plane of an output.
public struct Readback: Sendable, Hashable {
    public var texture: RenderPlan.TextureIndex
    /// In texels.
    public var region: PixelRect
    public var plane: Int
    /// Bytes from the plane's first sample to where the region's first texel goes.
    public var offset: Int
    /// Rows of the plane from one row of the texture to the next: 2 when it holds every other one.
    public var rowStep = 1
    public var bytesPerTexel: Int

    public var byteCount: Int { region.size.area * bytesPerTexel }
}
