internal import PipEffects
package import PipFrames
package import PipGraph

/// The input of the planner; equal inputs give equal plans.
package struct PlanInput: Sendable {
    /// The graph to draw, including muted and inactive filters.
    package var graph: Graph
    /// The format of the frames that each source delivers, keyed by the source's node.
    ///
    /// Layers of a source that is not listed are left out.
    package var sources: [NodeID: SourceFormat]
    /// The format and size of the frames that each sink requests, keyed by the sink's node.
    package var sinks: [NodeID: SinkRequest]
    /// The capabilities of the machine's renderers, from which the planner chooses among equivalent plans.
    package var capabilities: PlanCapabilities
    /// True to fuse effects into shared passes; false to draw each node by itself, for comparison and bug reports.
    package var fuses: Bool
    /// The highest quality of effects that the plan may draw.
    ///
    /// Below `full`, effects are simplified or left out.
    package var effectQuality: EffectQuality
    /// The nodes of crops that zoom: such a crop leaves the size of the upright picture unchanged.
    package var zooms: Set<NodeID> = []
    /// The time of the output that the plan is made for; nil to draw every filter that is not muted.
    package var time: Duration?

    /// Creates an input for the planner.
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

extension PlanInput {
    /// A source's image before it has textures; nil while the source has no frames.
    func image(ofSource id: NodeID) -> Image? {
        sources[id].map { source in
            Image(
                size: source.layout.size, format: source.layout.format, textures: [], isPacked: false,
                colorimetry: source.colorimetry, alpha: source.layout.format.hasAlpha ? .premultiplied : .none,
                sources: [id], label: graph.label(of: id), wasYUV: source.layout.format.isYUV)
        }
    }

    /// The size of a canvas: the composition's own, or that of the lowest layer whose source has frames.
    ///
    /// While no layer has frames, the canvas has a default size.
    func canvasSize(of composition: Composition) -> PixelSize {
        if let canvas = composition.canvas { return canvas }
        for layer in composition.drawingOrder {
            if let size = uprightSize(of: layer.input, crop: layer.placement.crop) {
                return layer.placement.orientation.size(of: size)
            }
        }
        return .hd720
    }

    /// The upright size of a node's picture; nil while its source has no frames.
    ///
    /// `crop`: The part of the source that forms the picture; nil for all.
    private func uprightSize(of id: NodeID, crop: PixelRect?) -> PixelSize? {
        let chain = graph.chain(endingAt: id)
        var size: PixelSize?
        if case .compositor(let composition)? = graph[chain.start] {
            size = canvasSize(of: composition)
        } else {
            size = sources[chain.start].map { $0.orientation.size(of: $0.layout.size) }
        }
        guard var size else { return nil }
        if let crop { size = crop.intersection(size.bounds).size }
        for link in chain.links where !zooms.contains(link.node) {
            if let part = UnitRect(croppedBy: link) {
                size = part.part(of: size.bounds).size
            } else if case .turned(let orientation) = link.traits.framing {
                size = orientation.size(of: size)
            }
        }
        return size
    }
}

/// The format and the properties of a source's frames.
package struct SourceFormat: Sendable, Hashable {
    /// The pixel format, size and strides of the frames.
    package var layout: FrameLayout
    /// The Y'CbCr matrix, range, primaries, transfer function and chroma siting of the frames.
    package var colorimetry: Colorimetry
    /// The rotation and mirroring that show the frames upright.
    package var orientation: Orientation
    /// True when the frames lie in dma-bufs, which a GPU may import.
    package var isShareable: Bool
    /// True for frames that seldom change, such as those of a picture or a text.
    package var isStill = false

    /// Creates the format of a source whose frames change continually.
    package init(
        layout: FrameLayout, colorimetry: Colorimetry, orientation: Orientation = .identity, isShareable: Bool = false
    ) {
        self.layout = layout
        self.colorimetry = colorimetry
        self.orientation = orientation
        self.isShareable = isShareable
    }
}
