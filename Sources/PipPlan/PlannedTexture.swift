public import PipFrames
public import PipShaders

/// A texture that a plan needs.
public struct PlannedTexture: Sendable, Hashable {
    /// What it holds, such as `/dev/video0 plane 0`.
    public var label: String
    /// In texels.
    public var size: PixelSize
    public var format: TexelFormat
    /// What fills it once; nil for a texture that a frame's steps fill.
    public var contents: ConstantTexture?
}
