internal import CTurboJPEG
internal import PipFrames

/// A chroma plane with any of JPEG's subsamplings.
struct ChromaPlane {
    /// The picture's size, in luma samples.
    let size: PixelSize
    /// The luma samples for a chroma sample, in each direction.
    let across: Int
    let down: Int
    /// The distance of rows.
    ///
    /// Units: bytes.
    let stride: Int

    /// The luma samples for a chroma sample, across and down; nil for grey and for unsupported subsamplings.
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

    /// Resamples the plane to 4:2:0: averages surplus samples, and repeats missing ones.
    @unsafe func resample(
        _ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, _ layout: PlaneLayout
    ) {
        let lastColumn = size.width.dividedUp(by: across) - 1
        let lastRow = size.height.dividedUp(by: down) - 1
        for y in 0..<layout.dimensions.height {
            let upper = unsafe source + min(lastRow, down == 1 ? 2 * y : y) * stride
            let lower = unsafe source + min(lastRow, down == 1 ? 2 * y + 1 : y) * stride
            let row = unsafe target + y * layout.strideInBytes
            if across == 2 {
                unsafe average(upper, lower, to: row, layout.dimensions.width)
                continue
            }
            for x in 0..<layout.dimensions.width {
                let left = min(lastColumn, across == 1 ? 2 * x : x / 2)
                let right = min(lastColumn, across == 1 ? 2 * x + 1 : x / 2)
                let sum = unsafe UInt16(upper[left]) + UInt16(upper[right]) + UInt16(lower[left]) + UInt16(lower[right])
                unsafe row[x] = UInt8((sum + 2) / 4)
            }
        }
    }

    /// Averages two rows, rounded up, eight samples of a word at a time.
    @unsafe private func average(
        _ upper: UnsafePointer<UInt8>, _ lower: UnsafePointer<UInt8>, to row: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
        var x = 0
        while x + 8 <= count {
            let first = unsafe UnsafeRawPointer(upper + x).loadUnaligned(as: UInt64.self)
            let second = unsafe UnsafeRawPointer(lower + x).loadUnaligned(as: UInt64.self)
            let mean = (first | second) &- (((first ^ second) &>> 1) & 0x7f7f_7f7f_7f7f_7f7f)
            unsafe UnsafeMutableRawPointer(row + x).storeBytes(of: mean, as: UInt64.self)
            x += 8
        }
        while x < count {
            unsafe row[x] = UInt8((UInt16(upper[x]) + UInt16(lower[x]) + 1) / 2)
            x += 1
        }
    }
}
