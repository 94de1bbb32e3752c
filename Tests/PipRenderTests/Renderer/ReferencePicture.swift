import Foundation
import PipFrames

/// The samples of a frame as numbers from 0 to 255, read by the definitions of the formats.
struct ReferencePicture {
    let frame: Frame
    let size: PixelSize
    let isYUV: Bool
    /// The luma columns and rows for each chroma sample.
    let subsampling: (x: Int, y: Int)
    let chromaSize: PixelSize
    /// The planes of luma, Cb and Cr, or of red, green, blue and alpha as stored: premultiplied.
    private let planes: [[Double]]

    init(_ frame: Frame) {
        self.frame = frame
        size = frame.size
        let format = frame.layout.format
        isYUV = format.isYUV
        subsampling =
            switch format {
            case .nv12, .nv21, .i420, .yv12: (2, 2)
            case .nv16, .yuyv, .uyvy, .yvyu, .vyuy: (2, 1)
            default: (1, 1)
            }
        let chromaSize = PixelSize(
            (size.width + subsampling.x - 1) / subsampling.x, (size.height + subsampling.y - 1) / subsampling.y)
        self.chromaSize = chromaSize
        planes = Self.planes(of: frame, chromaSize: chromaSize)
    }

    /// Extracts the planes of luma, Cb and Cr, or of red, green, blue and alpha.
    private static func planes(of frame: Frame, chromaSize: PixelSize) -> [[Double]] {
        let format = frame.layout.format
        let stored = frame.layout.planes.indices.map { bytes(of: frame, plane: $0) }
        /// Every `step`th byte of a plane's rows, starting at `first`, for `size` samples.
        func samples(_ plane: Int, first: Int, step: Int, _ size: PixelSize) -> [Double] {
            let rowBytes = frame.layout.planes[plane].rowBytes
            return (0..<size.height).flatMap { row in
                (0..<size.width).map { Double(stored[plane][row * rowBytes + first + $0 * step]) }
            }
        }
        func pairs(_ plane: Int, luma: Int?, cb: Int, cr: Int, step: Int) -> [[Double]] {
            [
                luma.map { samples(0, first: $0, step: 2, frame.size) } ?? samples(0, first: 0, step: 1, frame.size),
                samples(plane, first: cb, step: step, chromaSize), samples(plane, first: cr, step: step, chromaSize),
            ]
        }
        func rgb(_ order: [Int], alpha: Int? = nil) -> [[Double]] {
            let step = format.bytesPerColumn(ofPlane: 0)
            return (order + (alpha.map { [$0] } ?? [])).map { samples(0, first: $0, step: step, frame.size) }
        }
        let luma = { samples(0, first: 0, step: 1, frame.size) }
        return switch format {
        case .nv12, .nv16: pairs(1, luma: nil, cb: 0, cr: 1, step: 2)
        case .nv21: pairs(1, luma: nil, cb: 1, cr: 0, step: 2)
        case .i420: [luma()] + [1, 2].map { samples($0, first: 0, step: 1, chromaSize) }
        case .yv12: [luma()] + [2, 1].map { samples($0, first: 0, step: 1, chromaSize) }
        case .yuyv: pairs(0, luma: 0, cb: 1, cr: 3, step: 4)
        case .yvyu: pairs(0, luma: 0, cb: 3, cr: 1, step: 4)
        case .uyvy: pairs(0, luma: 1, cb: 0, cr: 2, step: 4)
        case .vyuy: pairs(0, luma: 1, cb: 2, cr: 0, step: 4)
        case .gray: [luma()] + Array(repeating: Array(repeating: 128, count: chromaSize.area), count: 2)
        case .rgba: rgb([0, 1, 2], alpha: 3)
        case .bgra: rgb([2, 1, 0], alpha: 3)
        case .argb: rgb([1, 2, 3], alpha: 0)
        case .abgr: rgb([3, 2, 1], alpha: 0)
        case .rgb24, .rgbx: rgb([0, 1, 2])
        case .bgr24, .bgrx: rgb([2, 1, 0])
        case .xrgb: rgb([1, 2, 3])
        case .xbgr: rgb([3, 2, 1])
        }
    }

    func luma(_ x: Int, _ y: Int) -> Double { planes[0][y * size.width + x] }

    /// A sample of Cb (component 0) or Cr (component 1).
    func chroma(_ component: Int, _ x: Int, _ y: Int) -> Double { planes[1 + component][y * chromaSize.width + x] }

    /// A sample of premultiplied red, green or blue (components 0 to 2) or of alpha (component 3).
    ///
    /// The alpha of a format without alpha is 255.
    func rgba(_ component: Int, _ x: Int, _ y: Int) -> Double {
        component < planes.count ? planes[component][y * size.width + x] : 255
    }

    /// The mean of an image over the area of a rectangle; sample 0 covers the coordinates 0…1.
    static func mean(
        _ samples: [Double], _ size: PixelSize, center: (x: Double, y: Double), width: (x: Double, y: Double)
    ) -> Double {
        let low = (x: max(center.x - width.x / 2, 0), y: max(center.y - width.y / 2, 0))
        let high = (
            x: min(center.x + width.x / 2, Double(size.width)), y: min(center.y + width.y / 2, Double(size.height))
        )
        // A rectangle beyond the image has the value of the nearest sample.
        guard high.x > low.x, high.y > low.y else {
            let x = min(max(Int(center.x.rounded(.down)), 0), size.width - 1)
            return samples[min(max(Int(center.y.rounded(.down)), 0), size.height - 1) * size.width + x]
        }
        var sum = 0.0
        var y = Int(low.y.rounded(.down))
        while Double(y) < high.y {
            let down = min(high.y, Double(y + 1)) - max(low.y, Double(y))
            let row = min(max(y, 0), size.height - 1) * size.width
            var x = Int(low.x.rounded(.down))
            while Double(x) < high.x {
                let across = min(high.x, Double(x + 1)) - max(low.x, Double(x))
                sum += down * across * samples[row + min(max(x, 0), size.width - 1)]
                x += 1
            }
            y += 1
        }
        return sum / ((high.x - low.x) * (high.y - low.y))
    }

    /// The colour at a position in luma samples: Y'CbCr with alpha, or R'G'B' with straight alpha, from 0 to 1.
    ///
    /// `width` is the distance between two neighbouring output pixels, in luma samples. `other` is the position and the
    /// width for chroma; nil takes `place` and `width`.
    func color(
        at place: (x: Double, y: Double), width: (x: Double, y: Double),
        chroma other: (place: (x: Double, y: Double), width: (x: Double, y: Double))? = nil
    ) -> [Double] {
        let own = (x: max(width.x, 1), y: max(width.y, 1))
        guard isYUV else {
            let values = (0..<4).map { part in
                part < planes.count ? Self.mean(planes[part], size, center: place, width: own) / 255 : 1
            }
            return values[..<3].map { values[3] > 0 ? $0 / values[3] : 0 } + [values[3]]
        }
        let at = other?.place ?? place
        let step = other?.width ?? width
        let siting = frame.info.colorimetry.chromaSiting
        let (columns, rows) = subsampling
        let left = columns == 2 && siting != .center ? 0.5 : 0
        let up = rows == 2 && siting == .topLeft ? 0.5 : 0
        let chromaPlace = ((at.x + left) / Double(columns), (at.y + up) / Double(rows))
        let chromaWidth = (max(step.x / Double(columns), 1), max(step.y / Double(rows), 1))
        let luma = Self.mean(planes[0], size, center: place, width: own)
        let cb = Self.mean(planes[1], chromaSize, center: chromaPlace, width: chromaWidth)
        let cr = Self.mean(planes[2], chromaSize, center: chromaPlace, width: chromaWidth)
        return [luma / 255, cb / 255, cr / 255, 1]
    }
}

/// The conversions of ITU-R BT.601-7, BT.709-6 and BT.2020-2 and of SMPTE 240M, for codes divided by 255.
enum ReferenceColor {
    private static func weights(_ colorimetry: Colorimetry) -> (red: Double, green: Double, blue: Double) {
        switch colorimetry.matrix {
        case .bt601: (0.299, 0.587, 0.114)
        case .bt709: (0.2126, 0.7152, 0.0722)
        case .bt2020: (0.2627, 0.6780, 0.0593)
        case .smpte240m: (0.212, 0.701, 0.087)
        }
    }

    static func rgb(_ yuv: [Double], _ colorimetry: Colorimetry) -> [Double] {
        let isFull = colorimetry.range == .full
        let y = isFull ? yuv[0] : (yuv[0] * 255 - 16) / 219
        let cb = (yuv[1] * 255 - 128) / (isFull ? 255 : 224)
        let cr = (yuv[2] * 255 - 128) / (isFull ? 255 : 224)
        let k = weights(colorimetry)
        let red = y + 2 * (1 - k.red) * cr
        let blue = y + 2 * (1 - k.blue) * cb
        return [red, (y - k.red * red - k.blue * blue) / k.green, blue]
    }

    static func yuv(_ rgb: [Double], _ colorimetry: Colorimetry) -> [Double] {
        let k = weights(colorimetry)
        let y = k.red * rgb[0] + k.green * rgb[1] + k.blue * rgb[2]
        let cb = (rgb[2] - y) / (2 * (1 - k.blue))
        let cr = (rgb[0] - y) / (2 * (1 - k.red))
        return colorimetry.range == .full
            ? [y, (cb * 255 + 128) / 255, (cr * 255 + 128) / 255]
            : [(y * 219 + 16) / 255, (cb * 224 + 128) / 255, (cr * 224 + 128) / 255]
    }
}

/// The largest difference between an RGBA frame and expected colours from 0 to 1, in steps of 8 bits, with its
/// position.
func difference(_ frame: Frame, _ expected: (Int, Int) -> [Double]) -> (steps: Double, place: String) {
    let actual = bytes(of: frame, plane: 0)
    var worst = (steps: 0.0, place: "nowhere")
    for y in 0..<frame.size.height {
        for x in 0..<frame.size.width {
            for (part, value) in expected(x, y).enumerated() {
                let code = Double(actual[(y * frame.size.width + x) * 4 + part])
                let steps = abs(code - min(max(value, 0), 1) * 255)
                if !(steps <= worst.steps) { worst = (steps, "(\(x), \(y)) part \(part): \(code), not \(value * 255)") }
            }
        }
    }
    return worst
}
