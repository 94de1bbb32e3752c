package import PipFrames
package import PipGraph

/// The input of the planner: equal inputs give equal plans.
package struct PlanInput: Sendable {
    /// The graph that the user has wired.
    package var graph: Graph
    /// The format of the frames that each source delivers.
    ///
    /// The layers of a source that is not listed are left out.
    package var sources: [NodeID: SourceFormat]
    /// The frames that each sink takes.
    package var sinks: [NodeID: SinkRequest]
    /// The capabilities of the machine that draws.
    package var capabilities: PlanCapabilities
    /// True to fuse effects into shared passes; false draws each node by itself, for comparison and bug reports.
    package var fuses: Bool
    /// The cost that effects may have.
    package var effectQuality: EffectQuality
    /// The crops that are zooms: a picture behind a zoom is as large as without it.
    package var zooms: Set<NodeID> = []
    /// The time of the output around which the plan is drawn; nil draws every filter that is not muted.
    package var time: Duration?

    /// An input from its parts.
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

/// The format of a source's frames.
package struct SourceFormat: Sendable, Hashable {
    /// The format, size and strides.
    package var layout: FrameLayout
    /// The matrix, range and chroma siting.
    package var colorimetry: Colorimetry
    /// The turn that shows the frames upright.
    package var orientation: Orientation
    /// True when the frames lie in dma-bufs.
    package var isShareable: Bool
    /// True for frames that seldom change, such as a still or a text.
    package var isStill = false

    /// The format of a source whose frames change.
    package init(
        layout: FrameLayout, colorimetry: Colorimetry, orientation: Orientation = .identity, isShareable: Bool = false
    ) {
        self.layout = layout
        self.colorimetry = colorimetry
        self.orientation = orientation
        self.isShareable = isShareable
    }
}
