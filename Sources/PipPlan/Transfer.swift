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

/// A plane of an output that the CPU makes of a source's frame, sample by sample.
public struct PlaneCopy: Sendable, Hashable {
    public var source: NodeID
    /// Of the output.
    public var plane: Int
    public var conversion: PlaneConversion
    public var byteCount: Int
}

/// How a plane of an output follows from a source's frame.
public enum PlaneConversion: Sendable, Hashable {
    /// It is the same plane.
    case none
    /// Each sample of the same plane times `scale` and `offset` more, in shares of 255.
    case affine(scale: Double, offset: Double)
    /// The same for pairs of a plane: a 2×2 matrix row by row, and two offsets.
    case affinePairs(matrix: [Double], offset: [Double])
    /// Every other byte of packed 4:2:2, from a first one on.
    case packedLuma(first: Int)
    /// Of each four bytes of packed 4:2:2 those at some places, as the mean of two rows.
    case packedChroma(places: [Int])
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
