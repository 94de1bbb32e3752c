import PipCompose

/// A display-referred colour, whose red, green and blue are from 0 to 1.
struct Colour: Hashable, Sendable, CustomStringConvertible {
    var red: Double
    var green: Double
    var blue: Double

    init(red: Double, green: Double, blue: Double) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    static let black = Colour(red: 0, green: 0, blue: 0)
    static let red = Colour(red: 1, green: 0, blue: 0)
    static let blue = Colour(red: 0, green: 0, blue: 1)

    var description: String { "(\(red), \(green), \(blue))" }

    /// The luma and chroma codes of the colour with 8 bits, not rounded.
    ///
    /// Source: ITU-R BT.601-7, 2.5; BT.709-6, 3.
    func yuv(_ colorimetry: Colorimetry) -> [Double] {
        let (weightOfRed, weightOfBlue) = colorimetry.matrix.lumaWeights
        let luma = weightOfRed * red + (1 - weightOfRed - weightOfBlue) * green + weightOfBlue * blue
        let differences = [(blue - luma) / (2 * (1 - weightOfBlue)), (red - luma) / (2 * (1 - weightOfRed))]
        switch colorimetry.range {
        case .limited: return [16 + 219 * luma] + differences.map { 128 + 224 * $0 }
        case .full: return [255 * luma] + differences.map { 128 + 255 * $0 }
        }
    }

    /// Converts luma and chroma codes with 8 bits to a colour, clipped to 0…1.
    init(yuv code: [Double], _ colorimetry: Colorimetry) {
        let (weightOfRed, weightOfBlue) = colorimetry.matrix.lumaWeights
        let isFull = colorimetry.range == .full
        let luma = isFull ? code[0] / 255 : (code[0] - 16) / 219
        let chroma = code[1...].map { ($0 - 128) / (isFull ? 255 : 224) }
        let red = luma + 2 * (1 - weightOfRed) * chroma[1]
        let blue = luma + 2 * (1 - weightOfBlue) * chroma[0]
        let green = (luma - weightOfRed * red - weightOfBlue * blue) / (1 - weightOfRed - weightOfBlue)
        func cut(_ value: Double) -> Double { min(max(value, 0), 1) }
        self.init(red: cut(red), green: cut(green), blue: cut(blue))
    }

    /// The samples that a frame of this format must have for the colour, not rounded.
    func samples(_ format: PixelFormat, _ colorimetry: Colorimetry) -> [Double] {
        format.isYUV ? yuv(colorimetry) : [255 * red, 255 * green, 255 * blue]
    }
}

extension Frame {
    /// The samples of a pixel: luma, blue difference and red difference of an NV12 frame, or red, green and blue of an
    /// RGBA frame.
    func samples(x: Int, y: Int) -> [UInt8] {
        guard layout.format == .nv12 else {
            return withPlane(0) { bytes, plane in
                (0..<3).map {
                    unsafe bytes.unsafeLoad(fromByteOffset: y * plane.strideInBytes + x * 4 + $0, as: UInt8.self)
                }
            }
        }
        let luma = withPlane(0) { bytes, plane in
            unsafe bytes.unsafeLoad(fromByteOffset: y * plane.strideInBytes + x, as: UInt8.self)
        }
        let chroma = withPlane(1) { bytes, plane in
            (0..<2).map {
                unsafe bytes.unsafeLoad(fromByteOffset: y / 2 * plane.strideInBytes + x / 2 * 2 + $0, as: UInt8.self)
            }
        }
        return [luma] + chroma
    }

    /// True if the samples of a pixel differ from a colour's by at most `tolerance`.
    ///
    /// Units: 1/255.
    func shows(_ colour: Colour, x: Int, y: Int, within tolerance: Double = 2) -> Bool {
        zip(samples(x: x, y: y), colour.samples(layout.format, info.colorimetry)).allSatisfy {
            abs(Double($0) - $1) <= tolerance
        }
    }
}
