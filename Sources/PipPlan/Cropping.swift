internal import PipEffects
internal import PipFrames
internal import PipGraph

extension UnitRect {
    /// What an effect leaves of the picture; nil for one that leaves all.
    init?(_ effect: any Effect) {
        let context = EffectContext(matrix: .bt709, scale: 1, size: .hd720)
        guard case .crop(let x, let y, let width, let height) = effect.operation(in: context) else { return nil }
        self.init(x: x, y: y, width: width, height: height)
    }

    /// The samples of a rectangle that it is, one at least.
    func part(of rect: PixelRect) -> PixelRect {
        func edges(_ origin: Int, _ length: Int, _ low: Double, _ part: Double) -> (Int, Int) {
            let first = min(Int((low * Double(length)).rounded()), length - 1)
            let end = max(Int(((low + part) * Double(length)).rounded()), first + 1)
            return (origin + max(first, 0), min(end, length) - max(first, 0))
        }
        let (left, across) = edges(rect.x, rect.width, x, width)
        let (top, down) = edges(rect.y, rect.height, y, height)
        return PixelRect(x: left, y: top, width: across, height: down)
    }
}

/// What a layer's chain is drawn from, once its crops are taken out.
struct CroppedChain {
    /// What is drawn into a picture of its own before the last crop; nil where only crops come before it.
    var picture: NodeID?
    /// The crops of the picture, or of the source, first one first.
    var crops: [UnitRect]
    /// What follows.
    var effects: [any Effect]
    var nodes: [NodeID]

    init(effects: [any Effect], nodes: [NodeID]) {
        let crops = effects.map { UnitRect($0) }
        guard let last = crops.lastIndex(where: { $0 != nil }) else {
            (self.crops, self.effects, self.nodes) = ([], effects, nodes)
            return
        }
        let areLeading = crops[...last].allSatisfy { $0 != nil }
        picture = areLeading ? nil : nodes[last - 1]
        self.crops = areLeading ? crops[...last].compactMap(\.self) : crops[last].map { [$0] } ?? []
        self.effects = Array(effects[(last + 1)...])
        self.nodes = Array(nodes[(last + 1)...])
    }
}

extension PlanBuilder {
    /// What a node gives, as a picture of its own at its full size: what is cropped after effects that see beyond the crop.
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
        let context = EffectContext(matrix: .bt709, scale: 1, size: size)
        let isOpaque =
            input.sources[chain.start]?.layout.format.hasAlpha == false
            && !chain.effects.contains { $0.operation(in: context).changesAlpha }
        image.alpha = isOpaque ? .none : .premultiplied
        (image.sources, image.label, image.wasYUV) = (drawn.sources, label, drawn.isYUVAtBottom)
        if crop == nil { canvasImages[key] = image }
        return image
    }
}
