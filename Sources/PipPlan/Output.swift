public import PipFrames
public import PipGraph

/// Frames of one format, made of copies and read-backs, for one or more sinks.
public struct Output: Sendable, Hashable {
    public var layout: FrameLayout
    /// What its frames hold.
    public var content = FrameContent.picture
    public var colorimetry: Colorimetry
    public var sinks: [NodeID]
    /// Planes that are copied from a source's frame as they are, before the read-backs.
    public var copies: [PlaneCopy]
    /// Luma, Cb and Cr of the colour that the planes are filled with before; nil where copies fill them.
    public var background: [UInt8]?
    public var readbacks: [Readback]
    /// The sources that it shows; their timestamps tell the frame's age.
    public var sources: [NodeID]
}
