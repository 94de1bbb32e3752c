internal import PipEffects
internal import PipFrames
internal import PipGraph

/// A layer that the CPU copies from a source's frame into an output: unchanged, converted, scaled or filtered.
struct LayerBlit {
    var source: NodeID
    /// The layer's rectangle in canvas pixels.
    var rect: PixelRect
    /// The position of the first luma sample, or R'G'B' pixel, that is read from the frame.
    var origin: (x: Int, y: Int)
    /// The conversions, one for each plane.
    var conversions: [Blit.Conversion]

    /// The blits that write the layer into an output with the given layout, one for each plane.
    func blits(of layout: FrameLayout) -> [Blit] {
        let (columns, rows) = layout.format.isYUV ? layout.format.chromaSubsampling : (1, 1)
        return conversions.enumerated().map { plane, conversion in
            let (x, y) = plane == 0 ? (1, 1) : (columns, rows)
            let region = PixelRect(
                x: rect.x / x, y: rect.y / y, width: rect.width.dividedUp(by: x), height: rect.height.dividedUp(by: y))
            return Blit(
                source: source, plane: plane, region: region, firstColumn: origin.x / x, firstRow: origin.y / y,
                conversion: conversion, byteCount: region.size.area * layout.format.bytesPerColumn(ofPlane: plane))
        }
    }
}

extension LayerBlit {
    /// Adds a filter to the conversions of 4:2:0 planes.
    ///
    /// - Returns: False when the format is not 4:2:0, or the kernel has a negative weight.
    fileprivate mutating func apply(_ filter: SymmetricFilter, _ format: PixelFormat) -> Bool {
        guard format.chromaSubsampling == (2, 2) else { return false }
        for plane in conversions.indices {
            let kernel = filter.planeKernel(isLuma: plane == 0)
            guard kernel.weights.allSatisfy({ $0 >= 0 }) else { return false }
            conversions[plane].kernel = kernel
        }
        return true
    }

    /// Adds a resampling to the conversions of 4:2:0 planes, or of luma alone.
    ///
    /// - Returns: False when the format has other planes, or the layer is rotated or mirrored.
    fileprivate mutating func scale(_ layer: LayerPlan, to format: PixelFormat) -> Bool {
        let image = layer.image
        let map = layer.positions.then(layer.place)
        guard map.keepsAxes, format == .gray || format.chromaSubsampling == (2, 2) else { return false }
        let (columns, rows) = image.format.chromaSubsampling
        let siting = image.colorimetry.chromaSiting.offset
        for plane in conversions.indices {
            let isLuma = plane == 0
            // `step` is the distance between neighbouring samples in canvas pixels; `first` is the first sample's
            // distance from the layer's corner, in canvas pixels, too.
            let step = isLuma ? 1.0 : 2.0
            let first = isLuma ? (x: 0.5, y: 0.5) : (x: 1 - siting.x, y: 1 - siting.y)
            let place = map.applied(x: Double(rect.x) + first.x, y: Double(rect.y) + first.y)
            let own = isLuma ? (x: 0, y: 0) : (x: columns == 2 ? siting.x : 0, y: rows == 2 ? siting.y : 0)
            let (width, height) = isLuma ? (1, 1) : (Double(columns), Double(rows))
            conversions[plane].scaling = Blit.Scaling(
                across: .init(first: (place.x + own.x) / width, step: map.a * step / width),
                down: .init(first: (place.y + own.y) / height, step: map.e * step / height),
                source: isLuma ? image.size : image.chromaSize)
        }
        return true
    }
}

extension SymmetricFilter {
    /// The kernel of the filter for luma, or for chroma of 4:2:0.
    fileprivate func planeKernel(isLuma: Bool) -> Blit.Kernel {
        switch self {
        case .gaussian(let deviation):
            let bell = PlaneFilter.Bell(deviation: deviation, isLuma: isLuma, mostHalvings: 1)
            return Blit.Kernel(bell.weights, isHalved: bell.halvings > 0)
        case .kernel(let weights): return Blit.Kernel(isLuma ? weights : GaussianKernel.folded(weights))
        }
    }
}

/// The samples that a layer shows: the first sample's position, and `mean` × `mean` samples for each pixel.
private struct Sampled {
    var x: Int
    var y: Int
    var mean: Int
}

extension LayerPlan {
    /// True when the layer fills the canvas with a source's whole frame, unchanged and in the canvas's format.
    func isUntouched(on size: PixelSize, format: PixelFormat, colorimetry: Colorimetry) -> Bool {
        image.size == size && untouchedPart(on: size, format: format, colorimetry: colorimetry) != nil
    }

    /// The samples of a source's frame that fill the canvas unchanged, in the canvas's format.
    ///
    /// Nil for a layer that must be converted or drawn.
    private func untouchedPart(on size: PixelSize, format: PixelFormat, colorimetry: Colorimetry) -> Sampled? {
        guard rect == size.bounds, image.format == format, let sampled = wholeSampling(), sampled.mean == 1 else {
            return nil
        }
        if !format.isYUV { return steps.isEmpty ? sampled : nil }
        let change = change(to: colorimetry)
        return change?.filter == nil && change?.transform.isIdentity == true ? sampled : nil
    }

    /// The blit that writes the layer; nil when the layer must be drawn.
    ///
    /// `allowed`: The layers that the CPU may write.
    func blit(on size: PixelSize, format: PixelFormat, colorimetry: Colorimetry, allowed: BlitRange) -> LayerBlit? {
        guard allowed >= .untouched, let source = image.sources.first else { return nil }
        if let part = untouchedPart(on: size, format: format, colorimetry: colorimetry) {
            let plain = Array(repeating: Blit.Conversion(), count: format.planeCount)
            return LayerBlit(source: source, rect: rect, origin: (part.x, part.y), conversions: plain)
        }
        guard allowed == .derived, isPlain, size.bounds.contains(rect), let change = change(to: colorimetry) else {
            return nil
        }
        guard rect == size.bounds || [rect.x, rect.y, rect.width, rect.height].allSatisfy({ $0 % 2 == 0 }) else {
            return nil
        }
        let whole = wholeSampling(hasChroma: format.planeCount > 1)
        let sampled = whole ?? Sampled(x: 0, y: 0, mean: 1)
        let values = values(change.transform, format: format)
        // A conversion that mixes both chroma planes must read them unscaled and unfiltered.
        let mixes = values.contains { if case .affineOfBoth = $0 { true } else { false } }
        let samples =
            image.format == format
            ? values.map { _ in Blit.Samples.plane(mean: sampled.mean) }
            : otherSamples(to: format, mean: sampled.mean)
        var blit = LayerBlit(source: source, rect: rect, origin: (sampled.x, sampled.y), conversions: [])
        blit.conversions = zip(samples, values).map(Blit.Conversion.init)
        if mixes && (image.format != format || sampled.mean > 1) { return nil }
        if whole == nil && (mixes || change.filter != nil || !blit.scale(self, to: format)) { return nil }
        if let filter = change.filter {
            let mean = sampled.mean
            let isWhole = rect.width * mean == image.size.width && rect.height * mean == image.size.height
            guard isWhole && !mixes && blit.apply(filter, format) else { return nil }
        }
        return blit.conversions.isEmpty ? nil : blit
    }

    /// True when the layer is an opaque, upright picture of one source, with square corners, without blend, border or
    /// shadow.
    private var isPlain: Bool {
        isOpaque && record.look.isPlain && record.blend == nil && base == nil && image.sources.count == 1
            && image.textures.isEmpty
            && orientation == .identity && record.placement.orientation == .identity
    }

    /// Finds the samples that the layer shows, if each pixel covers a square of n × n whole samples, n from 1 to 64.
    ///
    /// - Parameter hasChroma: False where only luma is written, so that the places of chroma samples do not matter.
    /// - Returns: The samples. Nil for any other layer, for a layer that is not plain (`isPlain`), where chroma samples
    ///   would lie beside the pixels, and where pixels lie outside the image.
    private func wholeSampling(hasChroma: Bool = true) -> Sampled? {
        guard isPlain else { return nil }
        let map = positions.then(place)
        let first = map.applied(x: Double(rect.x), y: Double(rect.y))
        let (x, y) = (Int(first.x.rounded()), Int(first.y.rounded()))
        let mean = Int(map.a.rounded())
        guard abs(first.x - Double(x)) < 1e-6, abs(first.y - Double(y)) < 1e-6, map.keepsAxes,
            abs(map.a - Double(mean)) < 1e-9, abs(map.e - Double(mean)) < 1e-9, (1...64).contains(mean)
        else { return nil }
        // With another chroma siting, the samples of a mean would lie a fraction of a sample beside the pixels.
        let readsChroma = hasChroma && image.format.isYUV
        guard mean == 1 || !readsChroma || image.colorimetry.chromaSiting == .center else { return nil }
        // At an odd position, the layer's pixels lie between chroma samples.
        guard !readsChroma || (x % 2 == 0 && y % 2 == 0) else { return nil }
        let shown = PixelRect(x: x, y: y, width: rect.width * mean, height: rect.height * mean)
        return image.size.bounds.contains(shown) ? Sampled(x: x, y: y, mean: mean) : nil
    }

    /// The affine map and the filter by which the layer's effects and the canvas's colorimetry change Y'CbCr samples.
    ///
    /// Nil when the effects need more than an affine map and one filter, or reveal the filter's rounding, and when the
    /// image is not Y'CbCr, or the chroma sitings differ.
    private func change(to colorimetry: Colorimetry) -> (transform: ColorTransform, filter: SymmetricFilter?)? {
        guard image.format.isYUV, image.colorimetry.chromaSiting == colorimetry.chromaSiting else { return nil }
        var transform = image.colorimetry.rgbFromYCbCr
        var filter: SymmetricFilter?
        for step in steps(onto: colorimetry) {
            switch step.operation.traits.planeForm {
            case .affine(let next): transform = transform.then(next)
            case .filter(let next):
                // Later effects must not reveal the rounding of the filter's result.
                guard filter == nil, step.planes == .rounded else { return nil }
                filter = next
            case .identity, nil: return nil
            }
        }
        return (transform.then(colorimetry.yCbCrFromRGB), filter)
    }

    /// The change of each plane's values; empty when luma depends on chroma or chroma on luma, or no blit fits the
    /// format.
    private func values(_ transform: ColorTransform, format: PixelFormat) -> [Blit.Values] {
        if transform.isIdentity { return Array(repeating: .same, count: format.planeCount) }
        guard transform.keepsLumaAndChromaApart else { return [] }
        let (rows, offset) = (transform.rows, transform.offset)
        let luma = Blit.Values.affine(scale: rows[0][0], offset: offset[0])
        let isDiagonal = abs(rows[1][2]) < 1e-6 && abs(rows[2][1]) < 1e-6
        let isEqual = abs(rows[1][1] - rows[2][2]) < 1e-6 && abs(offset[1] - offset[2]) < 1e-6
        switch format {
        case .nv12 where isDiagonal && isEqual: return [luma, .affine(scale: rows[1][1], offset: offset[1])]
        case .nv12:
            let matrix = [rows[1][1], rows[1][2], rows[2][1], rows[2][2]]
            return [luma, .affinePairs(matrix: matrix, offset: [offset[1], offset[2]])]
        case .i420:
            let chroma = (1...2).map { (plane: Int) -> Blit.Values in
                let (own, other) = (rows[plane][plane], rows[plane][3 - plane])
                return isDiagonal
                    ? .affine(scale: own, offset: offset[plane])
                    : .affineOfBoth(own: own, other: other, offset: offset[plane])
            }
            return [luma] + chroma
        case .gray: return [luma]
        default: return []
        }
    }

    /// The samples of a frame in another format that make up each 4:2:0 plane; empty for formats without a conversion.
    private func otherSamples(to format: PixelFormat, mean: Int) -> [Blit.Samples] {
        let luma = Blit.Samples.plane(mean: mean)
        switch (image.format, format) {
        case (.i420, .nv12): return [luma, .bothPlanes(mean: mean)]
        case (.nv12, .i420): return [luma] + [0, 1].map { .everySecond(first: $0, mean: mean) }
        case (_, .gray) where image.format.planeCount > 1: return [luma]
        case (.nv21, .i420): return [luma] + [1, 0].map { .everySecond(first: $0, mean: mean) }
        default: return packedSamples(to: format, mean: mean)
        }
    }

    /// The samples of packed 4:2:2 that make up each 4:2:0 plane; empty for other formats and for odd sizes.
    private func packedSamples(to format: PixelFormat, mean: Int) -> [Blit.Samples] {
        guard image.format.family == .packed422, image.size.width % 2 == 0, image.size.height % 2 == 0 else {
            return []
        }
        let (luma, chroma) = image.format.packedPlaces
        switch format {
        case .gray: return [.everySecond(first: luma, mean: mean)]
        case .nv12: return [.everySecond(first: luma, mean: mean), .packedChroma(places: chroma, mean: mean)]
        case .i420:
            return [.everySecond(first: luma, mean: mean)] + chroma.map { .packedChroma(places: [$0], mean: mean) }
        default: return []
        }
    }
}

extension PixelFormat {
    /// The byte positions of the first luma sample, and of Cb and Cr, in a 4:2:2 macropixel.
    fileprivate var packedPlaces: (luma: Int, chroma: [Int]) {
        switch self {
        case .uyvy: (1, [0, 2])
        case .yvyu: (0, [3, 1])
        case .vyuy: (1, [2, 0])
        default: (0, [1, 3])
        }
    }
}
