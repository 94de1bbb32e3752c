internal import PipFrames
internal import PipGraph

/// The picture below a layer, with which the layer is blended.
struct BlendBase {
    var image: Image
    /// The canvas region that the picture covers, in canvas pixels.
    var region: PixelRect
    /// True when the layer's pass blends in linear light.
    ///
    /// The pass then replaces the whole region, and draws the layer's look as well.
    var isLinear: Bool
    /// The part of the region in which the layer hides the picture below and is not blended; nil for none.
    var solid: PixelRect?
}

extension BlendBase {
    /// Describes the picture that has been drawn for a request.
    init(_ request: Request, drawnInto target: Canvas) {
        var image = target.image
        image.size = request.region.size
        image.sources = request.below.flatMap(\.sources)
        if request.hasAlpha { image.alpha = .premultiplied }
        self.init(image: image, region: request.region, isLinear: request.isLinear, solid: request.solid)
    }

    /// A request to draw the picture below a layer, with which the layer is blended later.
    struct Request {
        let isLinear: Bool
        /// The canvas region that is drawn, in canvas pixels.
        let region: PixelRect
        /// The part of the region that the layer hides, and that is not drawn; nil for none.
        let solid: PixelRect?
        /// The layers below, bottom first; in linear light, without those that lie outside the region.
        let below: [LayerPlan]
        /// The colour that fills the region first; nil where one of the layers covers the region.
        let background: Color?
        /// True when the picture below has alpha: in linear light, over a translucent background.
        let hasAlpha: Bool

        /// Describes the picture below a layer; nil for a layer that is drawn straight onto the canvas.
        ///
        /// Every layer whose pixels mix with pixels below needs that picture in linear light.
        init?(for index: Int, of layers: [LayerPlan], in composition: Composition, on canvas: Canvas) {
            let layer = layers[index]
            isLinear = composition.light == .linear
            guard isLinear ? layer.mixesPixels : layer.record.blend != nil else { return nil }
            let grain = Canvas.grain(canvas.format, isPacked: true)
            let bounds =
                isLinear
                ? layer.bounds(on: canvas.size).alignedOutward(toWidth: grain.width, height: grain.height) : layer.rect
            let region = bounds.intersection(canvas.size.bounds)
            if region.isEmpty { return nil }
            self.region = region
            var below = Array(layers[..<index])
            if isLinear { below.removeAll { $0.bounds(on: canvas.size).intersection(region).isEmpty } }
            self.below = below
            let isClear = !canvas.isYUV && composition.background.alpha < 1
            hasAlpha = isLinear && isClear
            var background = composition.background
            if isLinear && !isClear { background.alpha = 1 }
            self.background = below.contains { $0.hidden?.contains(region) ?? false } ? nil : background
            // A solid part of less than half the region is not worth a pass of its own.
            let solid = isLinear ? layer.solid(grain: grain)?.intersection(region) : nil
            self.solid = solid.flatMap { 2 * $0.size.area < region.size.area ? nil : $0 }
        }
    }
}
