public import PipEffects
public import PipFrames
public import PipGraph

/// A texture that a plan needs.
public struct PlannedTexture: Sendable, Hashable {
    /// What it holds, such as `/dev/video0 plane 0`.
    public var label: String
    /// In texels.
    public var size: PixelSize
    public var format: TexelFormat
    /// What fills it once; nil for a texture that a frame's steps fill.
    public var contents: ConstantTexture?
    /// Whose results it keeps from frame to frame, and from plan to plan; nil for a texture of one plan.
    public var history: HistoryKey?
}

/// What a filter keeps from one frame to the next.
public struct HistoryKey: Sendable, Hashable {
    public var node: NodeID
    /// Counts the places where a plan draws the filter, from 0.
    public var occurrence: Int
}
