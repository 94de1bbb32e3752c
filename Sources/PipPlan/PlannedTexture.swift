public import PipFrames
public import PipShaders

/// How a texel is stored.
public enum TexelFormat: String, Sendable, Hashable {
    case r8, rg8, rgb8, rgba8, rg32f, rgba16f, rgba32f

    public var bytesPerTexel: Int {
        switch self {
        case .r8: 1
        case .rg8: 2
        case .rgb8: 3
        case .rgba8: 4
        case .rg32f, .rgba16f: 8
        case .rgba32f: 16
        }
    }
}

/// A texture that a plan needs.
public struct PlannedTexture: Sendable, Hashable {
    /// What it holds, such as `/dev/video0 plane 0`.
    public var label: String
    /// In texels.
    public var size: PixelSize
    public var format: TexelFormat
    /// The curve whose values fill it once; nil for a texture that a frame's steps fill.
    public var curve: Curve?
}
