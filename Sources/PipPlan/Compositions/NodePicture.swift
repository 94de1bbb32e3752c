internal import PipEffects
internal import PipFrames
internal import PipGraph

/// The picture of a node that a layer or a blend reads: the composition that draws it, and the canvas.
struct NodePicture {
    /// The key by which consumers of equal pictures share one drawn image.
    enum Key: Hashable {
        case blended(NodeID, PixelSize)
        case layer(NodeID, PixelFormat, isSubsampled: Bool)
    }

    /// The key; nil for a picture that is drawn for one layer only.
    let key: Key?
    let composition: Composition
    let label: String
    let canvas: CanvasRequest
    /// The links whose effects alone can make pixels translucent; nil when pixels may be translucent for other reasons.
    private let opaqueLinks: [ChainLink]?

    /// The picture of a node that is blended with another picture, with alpha and stretched to a size.
    init(blended node: NodeID, size: PixelSize, colorimetry: Colorimetry, in graph: Graph) {
        key = .blended(node, size)
        var record = LayerRecord(node)
        record.placement.fit = .stretch
        composition = Composition(canvas: size, background: .clear, layers: [record])
        label = "\(graph.label(of: node)), to be blended"
        canvas = CanvasRequest(size: size, format: .rgba, colorimetry: colorimetry, isSubsampled: false)
        opaqueLinks = nil
    }

    /// A node's picture at its full size, for a crop that follows other effects or blends.
    ///
    /// Nil while the node's source has no frames. `crop`: The part of the source that forms the picture; nil for all.
    init?(uncropped node: NodeID, crop: PixelRect?, isSubsampled: Bool, in input: PlanInput) {
        let chain = input.graph.chain(endingAt: node)
        let source = input.sources[chain.start]
        if source == nil, case .source? = input.graph[chain.start] { return nil }
        key = crop == nil ? .layer(node, .rgba, isSubsampled: isSubsampled) : nil
        var record = LayerRecord(node)
        record.placement.crop = crop
        composition = Composition(canvas: nil, background: .clear, layers: [record])
        label = input.graph.label(of: node)
        canvas = CanvasRequest(
            size: input.canvasSize(of: composition), format: .rgba, isSubsampled: isSubsampled)
        opaqueLinks = source?.layout.format.hasAlpha == false ? chain.links : nil
    }

    /// A compositor's picture, for a layer that is drawn on the requested canvas.
    ///
    /// `isBare`: True when no chain changes the picture, which may then be Y'CbCr.
    init(
        compositor node: NodeID, _ composition: Composition, isBare: Bool, for request: CanvasRequest,
        in input: PlanInput
    ) {
        let isClear = composition.background.alpha < 1
        let format = isBare && request.format.isYUV && input.fuses && !isClear ? request.format : .rgba
        key = .layer(node, format, isSubsampled: request.isSubsampled)
        self.composition = composition
        label = input.graph.label(of: node)
        canvas = CanvasRequest(
            size: input.canvasSize(of: composition), format: format,
            isSubsampled: request.isSubsampled)
        opaqueLinks = isClear ? nil : []
    }

    /// The drawn picture as layers and blends read it; nil for a blend while no source of the node has frames.
    func image(_ drawn: DrawnComposition) -> Image? {
        if case .blended? = key, drawn.sources.isEmpty { return nil }
        guard var image = drawn.canvases.first?.image else { return nil }
        let context = EffectContext(matrix: drawn.colorimetry.matrix, scale: 1, size: drawn.size)
        let isOpaque = opaqueLinks.map { links in
            !links.contains { $0.operation(in: context).traits.changesAlpha }
        }
        image.alpha = isOpaque == true ? .none : .premultiplied
        (image.sources, image.label, image.wasYUV) = (drawn.sources, label, drawn.isYUVAtBottom)
        return image
    }
}
