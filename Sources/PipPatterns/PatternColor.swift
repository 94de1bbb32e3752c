internal import PipFrames

/// A colour as the codes of a frame's Y', Cb and Cr samples.
struct PatternColor: Equatable {
    var luma: UInt8
    var blue: UInt8
    var red: UInt8

    init(luma: UInt8, blue: UInt8 = 128, red: UInt8 = 128) {
        self.luma = luma
        self.blue = blue
        self.red = red
    }

    /// Encodes non-linear red, green and blue, 0…1, as the nearest codes.
    ///
    /// Source: ITU-R BT.601-7 2.5.1 to 2.5.3 and BT.709-6 3.2 to 3.4: Y' = Kr R' + Kg G' + Kb B', Cb = (B' - Y') / (2 -
    /// 2 Kb), Cr = (R' - Y') / (2 - 2 Kr); 8 bits, limited: 16 + 219 Y', 128 + 224 C; full: 255 Y', 128 + 255 C.
    init(_ red: Double, _ green: Double, _ blue: Double, _ colorimetry: Colorimetry) {
        let weights = colorimetry.matrix.lumaWeights
        let y = weights.red * red + (1 - weights.red - weights.blue) * green + weights.blue * blue
        let cb = (blue - y) / (2 - 2 * weights.blue)
        let cr = (red - y) / (2 - 2 * weights.red)
        let isLimited = colorimetry.range == .limited
        func code(_ value: Double) -> UInt8 { UInt8(min(max(value.rounded(), 0), 255)) }
        luma = code(isLimited ? 16 + 219 * y : 255 * y)
        self.blue = code(128 + (isLimited ? 224 : 255) * cb)
        self.red = code(128 + (isLimited ? 224 : 255) * cr)
    }
}

extension PatternColor {
    /// Interpolates between two colours: 0 gives this colour, 1 gives `other`.
    func mixed(with other: PatternColor, _ amount: Float) -> PatternColor {
        let share: Float = min(max(amount, 0), 1)
        func mix(_ from: UInt8, _ to: UInt8) -> UInt8 {
            let (start, end) = (Float(from), Float(to))
            let code: Float = start + (end - start) * share + 0.5
            return UInt8(code)
        }
        return PatternColor(luma: mix(luma, other.luma), blue: mix(blue, other.blue), red: mix(red, other.red))
    }
}

/// A colour as in a colour picker: red, green and blue, 0…255.
struct PaintColor {
    var red: Double
    var green: Double
    var blue: Double

    init(_ red: Double, _ green: Double, _ blue: Double) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Interpolates between two colours: 0 gives this colour, 1 gives `other`.
    func mixed(with other: PaintColor, _ amount: Double) -> PaintColor {
        PaintColor(
            red + (other.red - red) * amount, green + (other.green - green) * amount,
            blue + (other.blue - blue) * amount)
    }

    func codes(_ colorimetry: Colorimetry) -> PatternColor {
        PatternColor(red / 255, green / 255, blue / 255, colorimetry)
    }
}
