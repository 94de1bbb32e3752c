extension Frame {
    /// The brightness of the picture, from 0 for black to 1 for white.
    ///
    /// The brightness is the mean of the encoded luma at the centres of 48 columns by 27 rows of cells, or of as many
    /// columns and rows as a smaller picture has. Reading the samples takes some microseconds.
    package var brightness: Double {
        var (sum, count) = (0.0, 0)
        forEachLumaSample { (sum, count) = (sum + $0, count + 1) }
        return min(1, max(0, sum / Double(max(1, count))))
    }

    /// The luma samples whose mean is the ``brightness``, row by row: 0 is black and 1 is white.
    package var lumaSamples: [Double] {
        var samples: [Double] = []
        forEachLumaSample { samples.append($0) }
        return samples
    }

    private func forEachLumaSample(_ body: (Double) -> Void) {
        let isLimited = layout.format.isYUV && info.colorimetry.range == .limited
        let (black, span) = isLimited ? (16.0, 219.0) : (0, 255)
        withPlane(0) { bytes, plane in
            let (columns, rows) = (min(48, size.width), min(27, size.height))
            for row in 0..<rows {
                let start = (2 * row + 1) * size.height / (2 * rows) * plane.strideInBytes
                for column in 0..<columns {
                    let sample = luma(at: start, x: (2 * column + 1) * size.width / (2 * columns), in: bytes)
                    body((sample - black) / span)
                }
            }
        }
    }

    private func luma(at row: Int, x: Int, in bytes: RawSpan) -> Double {
        func byte(_ offset: Int) -> Double {
            Double(unsafe bytes.unsafeLoad(fromByteOffset: row + offset, as: UInt8.self))
        }
        func rgb(_ red: Int, _ green: Int, _ blue: Int, of size: Int = 4) -> Double {
            0.2126 * byte(x * size + red) + 0.7152 * byte(x * size + green) + 0.0722 * byte(x * size + blue)
        }
        switch layout.format {
        case .nv12, .nv21, .nv16, .i420, .yv12, .gray: return byte(x)
        case .yuyv, .yvyu: return byte(2 * x)
        case .uyvy, .vyuy: return byte(2 * x + 1)
        case .rgb24: return rgb(0, 1, 2, of: 3)
        case .bgr24: return rgb(2, 1, 0, of: 3)
        case .rgba, .rgbx: return rgb(0, 1, 2)
        case .bgra, .bgrx: return rgb(2, 1, 0)
        case .argb, .xrgb: return rgb(1, 2, 3)
        case .abgr, .xbgr: return rgb(3, 2, 1)
        }
    }
}
