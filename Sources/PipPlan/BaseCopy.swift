internal import PipFrames
internal import PipGraph
internal import PipShaders

/// Layers that the CPU can copy straight into an output: they are a source's frame all over the canvas, as it is or with values that follow
/// from its own sample by sample.
extension LayerPlan {
    /// Whether it is a source's frame as it is, in the format of the canvas, all over it.
    func isUntouched(on size: PixelSize, format: PixelFormat, colorimetry: Colorimetry) -> Bool {
        image.format == format && isWholeFrame(on: size)
            && (format.isYUV ? transform(to: colorimetry)?.isIdentity == true : steps.isEmpty)
    }

    /// How each plane of the canvas follows from the frame; nil when it must be drawn.
    ///
    /// `isSoftware`: Whether the CPU would draw, too: then it rather copies, also where values or formats change.
    func conversions(
        on size: PixelSize, format: PixelFormat, colorimetry: Colorimetry, isSoftware: Bool
    ) -> [PlaneConversion]? {
        if isUntouched(on: size, format: format, colorimetry: colorimetry) {
            return Array(repeating: .none, count: format.planeCount)
        }
        guard isSoftware, isWholeFrame(on: size), let transform = transform(to: colorimetry) else { return nil }
        if image.format == format { return conversions(transform, format: format) }
        guard transform.isIdentity, image.format.family == .packed422 else { return nil }
        guard size.width % 2 == 0, size.height % 2 == 0 else { return nil }
        let (luma, chroma) = image.format.packedPlaces
        let planes: [PlaneConversion]? =
            switch format {
            case .nv12: [.packedChroma(places: chroma)]
            case .i420: chroma.map { .packedChroma(places: [$0]) }
            default: nil
            }
        return planes.map { [.packedLuma(first: luma)] + $0 }
    }

    private func conversions(_ transform: ColorTransform, format: PixelFormat) -> [PlaneConversion]? {
        guard transform.keepsLumaAndChromaApart else { return nil }
        let (rows, offset) = (transform.rows, transform.offset)
        let luma = PlaneConversion.affine(scale: rows[0][0], offset: offset[0])
        let isDiagonal = abs(rows[1][2]) < 1e-6 && abs(rows[2][1]) < 1e-6
        let isEqual = abs(rows[1][1] - rows[2][2]) < 1e-6 && abs(offset[1] - offset[2]) < 1e-6
        switch format {
        case .nv12 where isDiagonal && isEqual: return [luma, .affine(scale: rows[1][1], offset: offset[1])]
        case .nv12:
            let matrix = [rows[1][1], rows[1][2], rows[2][1], rows[2][2]]
            return [luma, .affinePairs(matrix: matrix, offset: [offset[1], offset[2]])]
        case .i420 where isDiagonal:
            return [luma] + (1...2).map { .affine(scale: rows[$0][$0], offset: offset[$0]) }
        default: return nil
        }
    }

    /// Whether it shows a source's frame pixel for pixel, all over the canvas and opaque.
    private func isWholeFrame(on size: PixelSize) -> Bool {
        isOpaque && record.look.isPlain && record.blend == nil && image.size == size && rect == size.bounds
            && crop == size.bounds
            && visible == UnitRect() && orientation == .identity && record.placement.orientation == .identity
            && image.sources.count == 1 && image.textures.isEmpty
    }

    /// What its effects and a change of colorimetry do to Y'CbCr samples; nil when that is more than an affine map.
    func transform(to colorimetry: Colorimetry) -> ColorTransform? {
        guard image.format.isYUV, image.colorimetry.chromaSiting == colorimetry.chromaSiting else { return nil }
        var transform = image.colorimetry.rgbFromYCbCr
        for step in steps {
            guard case .affine(let next) = step.operation else { return nil }
            transform = transform.then(next)
        }
        return transform.then(colorimetry.yCbCrFromRGB)
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
