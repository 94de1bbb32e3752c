internal import CTurboJPEG
internal import CYUV
internal import PipFrames

/// A chroma plane of a JPEG picture, which can be resampled to 4:2:0.
struct ChromaPlane {
    /// The picture's size, in luma samples.
    let size: PixelSize
    /// The number of luma columns for each chroma sample.
    let across: Int
    /// The number of luma rows for each chroma sample.
    let down: Int
    /// The distance between rows of the plane.
    ///
    /// Units: bytes.
    let stride: Int

    /// The numbers of luma columns and rows for each chroma sample; nil for grey and for unsupported subsamplings.
    static func factors(of subsampling: TJSAMP) -> (across: Int, down: Int)? {
        switch subsampling {
        case TJSAMP_444: (1, 1)
        case TJSAMP_422: (2, 1)
        case TJSAMP_420: (2, 2)
        case TJSAMP_440: (1, 2)
        case TJSAMP_411: (4, 1)
        default: nil
        }
    }

    /// Resamples the plane to 4:2:0.
    ///
    /// Samples are averaged in a direction with more samples than 4:2:0, and repeated in a direction with fewer.
    @unsafe func resample(
        _ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, _ layout: PlaneLayout
    ) {
        if across == 2 { return unsafe average(source, to: target, layout) }
        let lastColumn = size.width.dividedUp(by: across) - 1
        let lastRow = size.height.dividedUp(by: down) - 1
        for y in 0..<layout.dimensions.height {
            let upper = unsafe source + min(lastRow, down == 1 ? 2 * y : y) * stride
            let lower = unsafe source + min(lastRow, down == 1 ? 2 * y + 1 : y) * stride
            let row = unsafe target + y * layout.strideInBytes
            for x in 0..<layout.dimensions.width {
                let left = min(lastColumn, across == 1 ? 2 * x : x / 2)
                let right = min(lastColumn, across == 1 ? 2 * x + 1 : x / 2)
                let sum = unsafe UInt16(upper[left]) + UInt16(upper[right]) + UInt16(lower[left]) + UInt16(lower[right])
                unsafe row[x] = UInt8((sum + 2) / 4)
            }
        }
    }

    /// Averages pairs of rows, rounded up; an odd last row is copied.
    @unsafe private func average(
        _ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, _ layout: PlaneLayout
    ) {
        let (width, rows) = (CInt(layout.dimensions.width), layout.dimensions.height)
        let (own, step) = (CInt(layout.strideInBytes), CInt(2 * stride))
        let pairs = size.height / 2
        unsafe InterpolatePlane(source, step, source + stride, step, target, own, width, CInt(pairs), 128)
        guard pairs < rows else { return }
        unsafe CopyPlane(
            source + 2 * pairs * stride, step, target + pairs * layout.strideInBytes, own, width, CInt(rows - pairs))
    }
}
