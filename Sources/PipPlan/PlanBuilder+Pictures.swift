internal import PipEffects
internal import PipFrames
internal import PipGraph

extension PlanBuilder {
    /// What a node gives, as a picture of a size with alpha; nil while nothing of it has frames.
    mutating func picture(
        of node: NodeID, size: PixelSize, colorimetry: Colorimetry, isSubsampled: Bool
    ) throws(GraphError) -> Image? {
        let key = PictureKey(node: node, size: size)
        if let image = pictures[key] { return image }
        var record = LayerRecord(node)
        record.placement.fit = .stretch
        let whole = Composition(canvas: size, background: .clear, layers: [record])
        let label = "\(graph.label(of: node)), to be blended"
        let drawn = try draw(
            whole, label: label, size: size, format: .rgba, colorimetry: colorimetry, isSubsampled: false,
            isFinal: false)
        guard !drawn.sources.isEmpty, var image = drawn.canvases.first?.image else { return nil }
        image.alpha = .premultiplied
        image.sources = drawn.sources
        image.label = label
        pictures[key] = image
        return image
    }

    /// What a node gives, as a picture of its own at its full size: what is cropped after effects that see beyond the
    /// crop.
    ///
    /// `crop`: The samples of the source that are the picture; nil takes all.
    mutating func picture(of id: NodeID, crop: PixelRect?, isSubsampled: Bool) throws(GraphError) -> Image? {
        let key = CanvasKey(node: id, format: .rgba, isSubsampled: isSubsampled)
        if crop == nil, let image = canvasImages[key] { return image }
        let chain = graph.chain(endingAt: id)
        if input.sources[chain.start] == nil, case .source? = graph[chain.start] { return nil }
        var record = LayerRecord(id)
        record.placement.crop = crop
        var background = Color.black
        background.alpha = 0
        let whole = Composition(canvas: nil, background: background, layers: [record])
        let label = graph.label(of: id)
        let size = try canvasSize(of: whole, label: label)
        let drawn = try draw(
            whole, label: label, size: size, format: .rgba, colorimetry: nil, isSubsampled: isSubsampled, isFinal: false
        )
        guard var image = drawn.canvases.first?.image else { return nil }
        let context = EffectContext(matrix: drawn.colorimetry.matrix, scale: 1, size: size)
        let isOpaque =
            input.sources[chain.start]?.layout.format.hasAlpha == false
            && !chain.links.contains { $0.operation(in: context).traits.changesAlpha }
        image.alpha = isOpaque ? .none : .premultiplied
        (image.sources, image.label, image.wasYUV) = (drawn.sources, label, drawn.isYUVAtBottom)
        if crop == nil { canvasImages[key] = image }
        return image
    }
}
