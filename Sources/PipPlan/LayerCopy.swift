internal import PipFrames
internal import PipGraph
internal import PipShaders

/// A layer that the CPU writes straight into an output: a source's frame, as it is or with samples that follow from its own.
struct LayerCopy {
    var source: NodeID
    /// In canvas pixels.
    var rect: PixelRect
    /// The first luma sample that it shows.
    var origin: (x: Int, y: Int)
    /// One a plane.
    var conversions: [PlaneConversion]

    /// The copies that make its planes.
    func planeCopies(of layout: FrameLayout) -> [PlaneCopy] {
        let (columns, rows) = layout.format.isYUV ? layout.format.chromaSubsampling : (1, 1)
        return conversions.enumerated().map { plane, conversion in
            let (x, y) = plane == 0 ? (1, 1) : (columns, rows)
            let region = PixelRect(
                x: rect.x / x, y: rect.y / y, width: rect.width.dividedUp(by: x), height: rect.height.dividedUp(by: y))
            return PlaneCopy(
                source: source, plane: plane, region: region, firstColumn: origin.x / x, firstRow: origin.y / y,
                conversion: conversion, byteCount: region.size.area * layout.format.bytesPerColumn(ofPlane: plane))
        }
    }
}

/// Which samples a layer shows: the first one, and how many by how many make a pixel.
private struct Sampled {
    var x: Int
    var y: Int
    var mean: Int
}

extension LayerPlan {
    /// Whether it is a source's frame as it is, in the format of the canvas, all over it.
    func isUntouched(on size: PixelSize, format: PixelFormat, colorimetry: Colorimetry) -> Bool {
        guard rect == size.bounds, image.format == format, sampling?.mean == 1 else { return false }
        return format.isYUV ? transform(to: colorimetry)?.isIdentity == true : steps.isEmpty
    }

    /// How the CPU can write it; nil when it must be drawn.
    ///
    /// `allowed`: What it may write.
    func copy(on size: PixelSize, format: PixelFormat, colorimetry: Colorimetry, allowed: CopyRange) -> LayerCopy? {
        guard allowed >= .untouched, let source = image.sources.first, let sampled = sampling else { return nil }
        let mean = sampled.mean
        var copy = LayerCopy(source: source, rect: rect, origin: (sampled.x, sampled.y), conversions: [])
        if isUntouched(on: size, format: format, colorimetry: colorimetry) {
            copy.conversions = Array(repeating: PlaneConversion(), count: format.planeCount)
            return copy
        }
        guard allowed == .derived, size.bounds.contains(rect), let transform = transform(to: colorimetry) else {
            return nil
        }
        let edges = [rect.x, rect.y, rect.width, rect.height, sampled.x, sampled.y]
        guard rect == size.bounds || edges.allSatisfy({ $0 % 2 == 0 }) else { return nil }
        let values = values(transform, format: format)
        // Both chroma planes are read as they are.
        let mixes = values.contains { if case .affineOfBoth = $0 { true } else { false } }
        if image.format == format {
            if mean > 1 && mixes { return nil }
            copy.conversions = values.map { PlaneConversion(.plane(mean: mean), $0) }
        } else if !mixes {
            copy.conversions = zip(otherSamples(to: format, mean: mean), values).map(PlaneConversion.init)
        }
        return copy.conversions.isEmpty ? nil : copy
    }

    /// The samples that it shows; nil when they are not whole, or more is done than to show them.
    private var sampling: Sampled? {
        guard isOpaque, record.look.isPlain, record.blend == nil, image.sources.count == 1, image.textures.isEmpty,
            orientation == .identity, record.placement.orientation == .identity
        else { return nil }
        let map = positions.then(place)
        let first = map.applied(x: Double(rect.x), y: Double(rect.y))
        let (x, y) = (Int(first.x.rounded()), Int(first.y.rounded()))
        let mean = Int(map.a.rounded())
        guard abs(first.x - Double(x)) < 1e-6, abs(first.y - Double(y)) < 1e-6, map.b == 0, map.d == 0,
            abs(map.a - Double(mean)) < 1e-9, abs(map.e - Double(mean)) < 1e-9, (1...16).contains(mean)
        else { return nil }
        // Another siting moves the samples of a mean by a part of one.
        guard mean == 1 || !image.format.isYUV || image.colorimetry.chromaSiting == .center else { return nil }
        let shown = PixelRect(x: x, y: y, width: rect.width * mean, height: rect.height * mean)
        return image.size.bounds.contains(shown) ? Sampled(x: x, y: y, mean: mean) : nil
    }

    /// What its effects and a change of colorimetry do to Y'CbCr samples; nil when that is more than an affine map.
    private func transform(to colorimetry: Colorimetry) -> ColorTransform? {
        guard image.format.isYUV, image.colorimetry.chromaSiting == colorimetry.chromaSiting else { return nil }
        var transform = image.colorimetry.rgbFromYCbCr
        for step in steps {
            guard case .affine(let next) = step.operation else { return nil }
            transform = transform.then(next)
        }
        return transform.then(colorimetry.yCbCrFromRGB)
    }

    /// What becomes of each plane's values; empty when they do not follow from the plane alone.
    private func values(_ transform: ColorTransform, format: PixelFormat) -> [PlaneConversion.Values] {
        if transform.isIdentity { return Array(repeating: .same, count: format.planeCount) }
        guard transform.keepsLumaAndChromaApart else { return [] }
        let (rows, offset) = (transform.rows, transform.offset)
        let luma = PlaneConversion.Values.affine(scale: rows[0][0], offset: offset[0])
        let isDiagonal = abs(rows[1][2]) < 1e-6 && abs(rows[2][1]) < 1e-6
        let isEqual = abs(rows[1][1] - rows[2][2]) < 1e-6 && abs(offset[1] - offset[2]) < 1e-6
        switch format {
        case .nv12 where isDiagonal && isEqual: return [luma, .affine(scale: rows[1][1], offset: offset[1])]
        case .nv12:
            let matrix = [rows[1][1], rows[1][2], rows[2][1], rows[2][2]]
            return [luma, .affinePairs(matrix: matrix, offset: [offset[1], offset[2]])]
        case .i420 where isDiagonal:
            return [luma] + (1...2).map { .affine(scale: rows[$0][$0], offset: offset[$0]) }
        case .i420:
            return [luma]
                + (1...2).map { .affineOfBoth(own: rows[$0][$0], other: rows[$0][3 - $0], offset: offset[$0]) }
        default: return []
        }
    }

    /// How planes of 4:2:0 are made of those of another format; empty where they do not follow from their samples.
    private func otherSamples(to format: PixelFormat, mean: Int) -> [PlaneConversion.Samples] {
        let luma = PlaneConversion.Samples.plane(mean: mean)
        switch (image.format, format) {
        case (.i420, .nv12): return [luma, .bothPlanes(mean: mean)]
        case (.nv12, .i420): return [luma] + [0, 1].map { .everySecond(first: $0, mean: mean) }
        case (.nv21, .i420): return [luma] + [1, 0].map { .everySecond(first: $0, mean: mean) }
        default: return packedSamples(to: format, mean: mean)
        }
    }

    /// How planes of 4:2:0 are taken out of packed 4:2:2; empty for other formats.
    private func packedSamples(to format: PixelFormat, mean: Int) -> [PlaneConversion.Samples] {
        guard image.format.family == .packed422, image.size.width % 2 == 0, image.size.height % 2 == 0 else {
            return []
        }
        let (luma, chroma) = image.format.packedPlaces
        switch format {
        case .nv12: return [.everySecond(first: luma, mean: mean), .packedChroma(places: chroma, mean: mean)]
        case .i420:
            return [.everySecond(first: luma, mean: mean)] + chroma.map { .packedChroma(places: [$0], mean: mean) }
        default: return []
        }
    }
}

extension PixelFormat {
    /// Where luma begins, and Cb and Cr lie, in four bytes of a packed 4:2:2 format.
    fileprivate var packedPlaces: (luma: Int, chroma: [Int]) {
        switch self {
        case .uyvy: (1, [0, 2])
        case .yvyu: (0, [3, 1])
        case .vyuy: (1, [2, 0])
        default: (0, [1, 3])
        }
    }
}
