public import PipEffects
public import PipFrames
public import PipGraph

/// All that a plan is made from: equal inputs give equal plans.
public struct PlanInput: Sendable {
    /// The graph that the user wired.
    public var graph: Graph
    /// The frames that each source delivers.
    ///
    /// A source that is not listed has none: its layers are left out.
    public var sources: [NodeID: SourceFormat]
    /// The frames that each sink takes.
    public var sinks: [NodeID: SinkRequest]
    /// The machine that will draw.
    public var capabilities: PlanCapabilities
    /// True to fuse effects into shared passes; false draws each node by itself, for comparison and bug reports.
    public var fuses: Bool
    /// The cost that effects may have.
    public var effectQuality: EffectQuality
    /// The time of the output around which the plan is drawn; nil draws every filter that is not muted.
    public var time: Duration?

    /// An input of all that a plan needs.
    public init(
        graph: Graph, sources: [NodeID: SourceFormat], sinks: [NodeID: SinkRequest],
        capabilities: PlanCapabilities = PlanCapabilities(), fuses: Bool = true,
        effectQuality: EffectQuality = .full, time: Duration? = nil
    ) {
        self.graph = graph
        self.sources = sources
        self.sinks = sinks
        self.capabilities = capabilities
        self.fuses = fuses
        self.effectQuality = effectQuality
        self.time = time
    }
}

/// The frames of a source.
public struct SourceFormat: Sendable, Hashable {
    /// The format, size and strides.
    public var layout: FrameLayout
    /// The matrix, range and chroma siting.
    public var colorimetry: Colorimetry
    /// The turn that shows them upright.
    public var orientation: Orientation
    /// True when the frames lie in dma-bufs.
    public var isShareable: Bool
    /// True for frames that seldom change: a still, or a text.
    public var isStill = false

    /// Frames of a source that change.
    public init(
        layout: FrameLayout, colorimetry: Colorimetry, orientation: Orientation = .identity, isShareable: Bool = false
    ) {
        self.layout = layout
        self.colorimetry = colorimetry
        self.orientation = orientation
        self.isShareable = isShareable
    }
}

/// The frames that a sink takes.
public struct SinkRequest: Sendable, Hashable {
    /// `nv12`, `i420` or `rgba`.
    public var format: PixelFormat
    /// Nil takes the size of what is drawn.
    public var size: PixelSize?
    /// Nil takes the colours of what is drawn.
    public var colorimetry: Colorimetry?
    /// The measurement of the whole picture that is wanted in its place, as a ``FrameTable``; nil for the picture
    /// itself.
    public var measurement: Measurement?

    /// A request for pictures.
    public init(format: PixelFormat, size: PixelSize? = nil, colorimetry: Colorimetry? = nil) {
        self.format = format
        self.size = size
        self.colorimetry = colorimetry
    }

    /// A request for a measurement of each picture.
    public init(_ measurement: Measurement) {
        self.init(format: .rgba)
        self.measurement = measurement
    }

    /// The formats that can be asked for.
    public static let formats: [PixelFormat] = [.nv12, .i420, .rgba]
}
