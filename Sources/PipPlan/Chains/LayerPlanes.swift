internal import PipEffects
internal import PipFrames
internal import PipGraph

/// The 4:2:0 planes of a layer's size, on which filters and warps run without a conversion to R'G'B'.
struct LayerPlanes {
    let layer: LayerPlan
    let canvas: Canvas

    /// True when an image consists of 4:2:0 planes of the layer's size, and the layer shows the whole image.
    func match(_ image: Image) -> Bool {
        layer.rect.size == image.size && layer.crop == image.size.bounds && layer.visible == UnitRect()
            && image.format.chromaSubsampling == (2, 2) && image.format.planeCount > 1 && !image.hasHalfLuma
    }

    /// True when an image ``match(_:)``es, its planes are packed, and it has the canvas's chroma siting.
    func contain(_ image: Image) -> Bool {
        match(image) && image.isPacked && image.colorimetry.chromaSiting == canvas.colorimetry.chromaSiting
    }

    /// Draws a Y'CbCr image into the planes.
    ///
    /// - Parameters:
    ///   - image: The image.
    ///   - head: The way in which the pass reads the image.
    ///   - place: The map from positions in the chain, or from the head's results, to samples of the image.
    ///   - texel: The texel format of packed planes.
    ///   - recorder: The recorder that receives the passes.
    /// - Returns: The planes, and the map from positions in the chain to samples of the planes.
    /// - Throws: ``GraphError`` when the planes are empty or too large.
    func draw(
        _ image: Image, by head: Segment.Head = .image, at place: Mapping, texel: TexelFormat,
        in recorder: inout StepRecorder
    ) throws(GraphError) -> (Image, Mapping) {
        var colorimetry = image.colorimetry
        colorimetry.chromaSiting = canvas.colorimetry.chromaSiting
        let region = layer.rect
        let label = "picture of \(image.label)"
        let target = try recorder.addTextures(
            to: Canvas(
                size: PixelSize(region.maxX, region.maxY), format: .nv12, colorimetry: colorimetry, region: region,
                isPacked: true, isSubsampled: true),
            label: label, texel: texel)
        for part in recorder.parts(of: target) {
            let contents = PassContents(
                segment: Segment(image, head: head, place: place), positions: layer.positions, canvas: target,
                part: part, usesChromaGrid: true)
            let name = part.map { $0 == 0 ? "luma of \(label)" : "chroma of \(label)" } ?? label
            try recorder.draw(contents, label: name, rects: [region])
        }
        let drawn = Image(
            size: region.size, format: .nv12, textures: target.textures, isPacked: target.isPacked,
            colorimetry: colorimetry, alpha: .none, sources: image.sources, label: image.label)
        return (drawn, layer.visible.toPixels(of: region.size))
    }
}
