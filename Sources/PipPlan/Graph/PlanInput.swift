package import PipFrames
package import PipGraph

/// All that a plan is made from: equal inputs give equal plans.
package struct PlanInput: Sendable {
    /// The graph that the user wired.
    package var graph: Graph
    /// The frames that each source delivers.
    ///
    /// A source that is not listed has none: its layers are left out.
    package var sources: [NodeID: SourceFormat]
    /// The frames that each sink takes.
    package var sinks: [NodeID: SinkRequest]
    /// The machine that will draw.
    package var capabilities: PlanCapabilities
    /// True to fuse effects into shared passes; false draws each node by itself, for comparison and bug reports.
    package var fuses: Bool
    /// The cost that effects may have.
    package var effectQuality: EffectQuality
    /// Crops that are zooms: a picture behind one is as large as it would be without.
    package var zooms: Set<NodeID> = []
    /// The time of the output around which the plan is drawn; nil draws every filter that is not muted.
    package var time: Duration?

    /// An input of all that a plan needs.
    package init(
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
package struct SourceFormat: Sendable, Hashable {
    /// The format, size and strides.
    package var layout: FrameLayout
    /// The matrix, range and chroma siting.
    package var colorimetry: Colorimetry
    /// The turn that shows them upright.
    package var orientation: Orientation
    /// True when the frames lie in dma-bufs.
    package var isShareable: Bool
    /// True for frames that seldom change: a still, or a text.
    package var isStill = false

    /// Frames of a source that change.
    package init(
        layout: FrameLayout, colorimetry: Colorimetry, orientation: Orientation = .identity, isShareable: Bool = false
    ) {
        self.layout = layout
        self.colorimetry = colorimetry
        self.orientation = orientation
        self.isShareable = isShareable
    }
}
