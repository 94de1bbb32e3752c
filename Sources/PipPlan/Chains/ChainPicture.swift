internal import PipEffects
internal import PipFrames
internal import PipGraph

/// The picture of a layer's chain up to a step: a segment that reads textures, and whose changes are not drawn yet.
struct ChainPicture {
    let layer: LayerPlan
    let canvas: Canvas
    let usesChromaGrid: Bool
    var segment: Segment
    /// The combined rotation of the steps that follow.
    ///
    /// The picture is drawn before that rotation.
    var turned = Orientation.identity
    /// The size of the picture after an operation that has drawn it at another size; nil at the layer's visible size.
    var reducedSize: PixelSize?
    /// True when operations may read neighbouring pixels: the segment reads a drawn picture unchanged.
    private(set) var isPicture = false
    /// True when the segment reads planes that have been filtered.
    private(set) var isFiltered = false
    /// True when the segment reads a drawn picture unchanged; values may lie outside 0…1.
    private(set) var isDrawn = false
    /// True when the segment's results must be kept as floating-point numbers.
    var isWide = false

    init(_ layer: LayerPlan, on canvas: Canvas, usesChromaGrid: Bool) {
        self.layer = layer
        self.canvas = canvas
        self.usesChromaGrid = usesChromaGrid
        segment = Segment(layer.image, place: layer.place)
        if layer.image.format.isYUV { segment.append(.matrix(layer.image.colorimetry.rgbFromYCbCr)) }
    }

    /// True when the segment reads a source or a drawn picture with at most a conversion of colours.
    var isSource: Bool { segment.isBare && segment.effects.isEmpty }

    /// The size at which the picture is drawn, in pixels.
    var size: PixelSize { reducedSize ?? (turned.swapsAxes ? layer.rect.size.transposed : layer.rect.size) }

    /// The map from positions in the chain (0…1) to pixels of the drawn picture.
    var place: Mapping { visible.toPixels(of: size) }

    /// The part of the chain's picture that the layer shows, before the rotation of the steps that follow.
    private var visible: UnitRect { layer.visible.mapped(by: Mapping(turned)) }

    /// The rotated segment that remains at the chain's end, for the pass that draws the layer.
    var planned: PlannedChain {
        var segment = segment
        segment.turn(turned)
        if canvas.isYUV { segment.append(.matrix(canvas.colorimetry.yCbCrFromRGB)) }
        // Where luma contributes to chroma, filtered pixels that share a chroma sample differ too much to share one
        // conversion.
        let usesChromaGrid = usesChromaGrid && (!isFiltered || segment.keepsLumaAndChromaApart)
        return PlannedChain(segment: segment, positions: layer.positions, usesChromaGrid: usesChromaGrid)
    }

    /// Adds a change of each pixel, which the next pass draws.
    mutating func append(_ operation: Segment.Operation, label: String) {
        segment.append(operation)
        recordChange(label)
    }

    /// Sets the head by which the next pass reads the picture.
    mutating func set(_ head: Segment.Head, label: String) {
        segment.head = head
        recordChange(label)
    }

    /// Replaces the segment's image by filtered planes, and keeps the segment's changes of pixels.
    mutating func read(filtered image: Image, at place: Mapping, label: String) {
        (segment.image, segment.place) = (image, place)
        isFiltered = true
        recordChange(label)
    }

    /// Records a change of pixels in the segment, which no longer is the picture that it reads.
    mutating func recordChange(_ label: String) {
        segment.effects.append(label)
        isPicture = false
        isDrawn = false
    }

    /// Rotates the picture by the combined rotation of the steps that follow, for a pass after all of them.
    mutating func turn() {
        segment.turn(turned)
        turned = .identity
    }

    /// Draws the segment, unless it is a picture already, so that later steps can read neighbouring pixels.
    mutating func prepareToRead(in recorder: inout StepRecorder) throws(GraphError) {
        if !isPicture { try materialize(isClamped: true, in: &recorder) }
    }

    /// Draws the segment's pixels into Y'CbCr planes of the layer's size, unless it reads such planes directly.
    ///
    /// A warp that follows reads these planes. The segment keeps its conversion of colours.
    mutating func prepareToWarp(in recorder: inout StepRecorder) throws(GraphError) {
        let planes = LayerPlanes(layer: layer, canvas: canvas)
        if case .image = segment.head, planes.match(segment.image) { return }
        (segment.image, segment.place) = try planes.draw(
            segment.image, by: segment.head, at: segment.place, texel: .rgba8, in: &recorder)
        segment.head = .image
    }

    /// Draws the segment into an intermediate picture of ``size``, which a new segment then reads.
    ///
    /// If `isClamped` is true, values are limited to 0…1, unless ``isWide`` is true. A renderer that cannot draw into
    /// floats always limits values.
    mutating func materialize(isClamped: Bool, in recorder: inout StepRecorder) throws(GraphError) {
        let capabilities = recorder.input.capabilities
        let texel: TexelFormat =
            if isClamped {
                isWide ? capabilities.wideTexel : .rgba8
            } else {
                capabilities.hasFloatTargets ? .rgba32f : .rgba8
            }
        try materialize(as: texel, in: &recorder)
        isPicture = isClamped || texel == .rgba8
    }

    /// Draws the segment into an intermediate picture with the given texel format.
    private mutating func materialize(as texel: TexelFormat, in recorder: inout StepRecorder) throws(GraphError) {
        let size = size
        // An unturned picture lies on the canvas's pixels, so that chroma falls on the same grid.
        let isOnGrid = turned == .identity && reducedSize == nil
        let origin = isOnGrid ? (layer.rect.x, layer.rect.y) : (0, 0)
        let region = PixelRect(x: origin.0, y: origin.1, width: size.width, height: size.height)
        let names = segment.effects.isEmpty ? "picture" : segment.effects.joined(separator: ", ")
        let label = "\(names) of \(layer.image.label)"
        let target = try recorder.addTextures(
            to: Canvas(
                size: PixelSize(region.maxX, region.maxY), format: .rgba, colorimetry: canvas.colorimetry,
                region: region, isPacked: false, isSubsampled: canvas.isSubsampled),
            label: label, texel: texel)
        let positions = Mapping.translation(-Double(region.x), -Double(region.y)).then(visible.fromPixels(of: size))
        let image = Image(
            size: size, format: .rgba, textures: target.textures, isPacked: false,
            colorimetry: segment.image.colorimetry, alpha: segment.hasAlpha ? .premultiplied : .none,
            sources: segment.image.sources, label: layer.image.label)
        var contents = PassContents(
            segment: segment, positions: positions, canvas: target, part: recorder.parts(of: target)[0],
            usesChromaGrid: usesChromaGrid && isOnGrid)
        contents.replaces = true
        contents.isPicture = true
        try recorder.draw(contents, label: label, rects: [region])
        segment = Segment(image, place: place)
        isPicture = true
        isDrawn = true
    }
}

extension ChainPicture {
    /// Draws the picture at a `factor`-th of its width and height, rounded up.
    mutating func shrink(by factor: Int, label: String, in recorder: inout StepRecorder) throws(GraphError) {
        try shrink(by: max(factor, 1), isClamped: true, label: label, in: &recorder)
    }

    /// Averages the picture down to one pixel, by repeated means of 8×8 pixels.
    mutating func average(label: String, in recorder: inout StepRecorder) throws(GraphError) {
        repeat { try shrink(by: 8, isClamped: false, label: label, in: &recorder) } while size != PixelSize(1, 1)
    }

    private mutating func shrink(
        by factor: Int, isClamped: Bool, label: String, in recorder: inout StepRecorder
    ) throws(GraphError) {
        let size = PixelSize(size.width.dividedUp(by: factor), size.height.dividedUp(by: factor))
        if !isSource { try prepareToRead(in: &recorder) }
        segment.effects.append("\(label) smaller")
        reducedSize = size
        try materialize(isClamped: isClamped, in: &recorder)
    }

    /// Ends a chain: if an operation has reduced the picture, the next pass enlarges the picture to full size.
    mutating func finish(in recorder: inout StepRecorder) throws(GraphError) {
        guard reducedSize != nil else { return }
        // Effects that fetch texels need the picture at its own size.
        if !isSource { try materialize(isClamped: true, in: &recorder) }
        reducedSize = nil
    }

    /// Scales the picture to its visible size with the Lanczos kernel.
    ///
    /// Draws the picture at its own size and, if the widths differ, scaled horizontally. If the heights differ, the
    /// pass that draws the following steps scales vertically.
    mutating func resample(label: String, in recorder: inout StepRecorder) throws(GraphError) {
        guard let own = layer.ownSize(turned: turned) else { return }
        let wanted = size
        reducedSize = own
        try materialize(isClamped: true, in: &recorder)
        if own.width != wanted.width {
            let ratio = Double(own.width) / Double(wanted.width)
            set(.lanczos(ratio, isVertical: false), label: "\(label) across")
            reducedSize = PixelSize(wanted.width, own.height)
            try materialize(isClamped: true, in: &recorder)
        }
        reducedSize = nil
        if own.height != wanted.height {
            let ratio = Double(own.height) / Double(wanted.height)
            set(.lanczos(ratio, isVertical: true), label: "\(label) down")
        }
    }

    /// Combines the picture with the previous frame's result, and keeps the new result for the next frame.
    mutating func remember(
        _ call: ShaderCall, of node: NodeID, label: String, in recorder: inout StepRecorder
    ) throws(GraphError) {
        // With 8 bits, a low pass would stop before it reaches the picture, because a small share of a small difference
        // rounds to nothing.
        let capabilities = recorder.input.capabilities
        let texel: TexelFormat =
            capabilities.hasFloatTargets ? .rgba32f : capabilities.hasHalfFloatTargets ? .rgba16f : .rgba8
        let history = try recorder.addHistory(
            "\(label) of \(layer.image.label), the frame before", size, texel, of: node)
        var image = segment.image
        image.alpha = segment.hasAlpha ? .premultiplied : .none
        (image.size, image.format, image.isPacked, image.textures) = (size, .rgba, false, [history])
        let previous = SecondPicture(image: image, place: place, isSameSize: true, isHistory: true)
        append(.combine(call, .identity, [previous]), label: label)
        try materialize(as: texel, in: &recorder)
        let drawn = segment.image
        recorder.fetch(drawn.textures, of: drawn.sources)
        recorder.append(.keep(Keep(texture: drawn.textures[0], history: history, sources: drawn.sources)))
    }

    /// Plans the tables of the picture, and returns the last table.
    mutating func table(
        _ tabulation: Tabulation, label: String, in recorder: inout StepRecorder
    ) throws(GraphError) -> Image {
        try prepareToRead(in: &recorder)
        var image = segment.image
        image.alpha = .none
        for table in tabulation.steps {
            let texture = try recorder.addTable(table, label: label, of: segment.image, after: image.textures.first)
            (image.textures, image.size) = ([texture], table.size)
        }
        return image
    }
}
