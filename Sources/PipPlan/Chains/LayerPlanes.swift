internal import PipEffects
internal import PipFrames
internal import PipGraph

/// The packed 4:2:0 planes of a layer's size, on which filters run without a conversion to R'G'B'.
struct LayerPlanes {
    let layer: LayerPlan
    let canvas: Canvas

    /// True when an image consists of packed 4:2:0 planes of the layer's size and the canvas's chroma siting, and the
    /// layer shows the whole image.
    func contain(_ image: Image) -> Bool {
        let isWhole =
            layer.rect.size == image.size && layer.crop == image.size.bounds && layer.visible == UnitRect()
        let isOnGrid =
            image.format.chromaSubsampling == (2, 2)
            && image.colorimetry.chromaSiting == canvas.colorimetry.chromaSiting
        return isWhole && isOnGrid && image.isPacked && image.format.planeCount > 1
    }

    /// Draws a Y'CbCr image into the planes.
    ///
    /// `place` is the map from positions in the chain to samples of the image. Returns the planes, and the map from
    /// positions in the chain to samples of the planes.
    func draw(
        _ image: Image, at place: Mapping, in recorder: inout StepRecorder
    ) throws(GraphError) -> (Image, Mapping) {
        var colorimetry = image.colorimetry
        colorimetry.chromaSiting = canvas.colorimetry.chromaSiting
        let region = layer.rect
        let label = "picture of \(image.label)"
        let target = try recorder.addTextures(
            to: Canvas(
                size: PixelSize(region.maxX, region.maxY), format: .nv12, colorimetry: colorimetry, region: region,
                isPacked: true, isSubsampled: true),
            label: label, texel: recorder.input.capabilities.exactTexel)
        for part in target.parts.indices {
            let contents = PassContents(
                segment: Segment(image, place: place), positions: layer.positions, canvas: target, part: part,
                usesChromaGrid: true)
            try recorder.draw(contents, label: "\(part == 0 ? "luma" : "chroma") of \(label)", rects: [region])
        }
        let drawn = Image(
            size: region.size, format: .nv12, textures: target.textures, isPacked: true, colorimetry: colorimetry,
            alpha: .none, sources: image.sources, label: image.label)
        return (drawn, layer.visible.toPixels(of: region.size))
    }
}
