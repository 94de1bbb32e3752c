import Foundation
import PipEffects
import PipFrames

extension Pointwise {
    /// Colour effects with their own shaders, and their formulas.
    static let pixels: [Pointwise] =
        [
            vibrance(-1.2), vibrance(0.5), vibrance(1.2),
            highlightShadow(1, 1), highlightShadow(0, 0), highlightShadow(0.4, 0.5),
            Pointwise(HighlightShadowTint(shadows: 0.8, .green, highlights: 0.5, .yellow), highlightShadowTint),
            skinTone(0.3, .green), skinTone(-0.3, .green), skinTone(0.3, .orange),
            Pointwise(Monochrome()) { monochrome($0, [0.6, 0.45, 0.3], 1) },
            Pointwise(Monochrome(.blue, intensity: 0.4)) { monochrome($0, [0, 0, 1], 0.4) },
            Pointwise(LuminanceThreshold(0.4), slack: 1e-4) { Array(repeating: $0.luma >= 0.4 ? 1 : 0, count: 3) },
            Pointwise(Solarize(0.6), slack: 1e-4) { pixel -> [Double] in
                pixel.luma <= 0.6 ? pixel.color.map { 1 - $0 } : pixel.color
            },
            posterize(1), posterize(4), posterize(10), posterize(255),
            dither(1), dither(3), dither(8),
        ]

    private static func vibrance(_ amount: Double) -> Pointwise {
        Pointwise(Vibrance(Float(amount))) { pixel in
            let most = pixel.color.max() ?? 0
            let share = (most - pixel.color.reduce(0, +) / 3) * -3 * amount
            return pixel.color.map { mix($0, most, share) }
        }
    }

    /// Shadows tinted green by 0.8, and highlights tinted yellow by 0.5.
    private static func highlightShadowTint(_ pixel: Pixel) -> [Double] {
        let y = pixel.luma
        return (0..<3).map { (part: Int) -> Double in
            let (c, low, high): (Double, Double, Double) = (pixel.color[part], [0.0, 1, 0][part], [1.0, 1, 0][part])
            let dark = mix(c, max(c, mix(low, c, y)), 0.8)
            return mix(dark, mix(c, min(dark, mix(dark, high, y)), 0.5), y)
        }
    }

    private static func highlightShadow(_ shadows: Double, _ highlights: Double) -> Pointwise {
        Pointwise(HighlightShadow(shadows: Float(shadows), highlights: Float(highlights))) { pixel in
            let l = 0.3 * pixel.color.reduce(0, +)
            guard l > 0 else { return [0, 0, 0] }
            let lifted = pow(l, 1 / (shadows + 1)) - 0.76 * pow(l, 2 / (shadows + 1)) - l
            let rest = pow(1 - l, 1 / (2 - highlights)) - 0.8 * pow(1 - l, 2 / (2 - highlights))
            let sum = l + min(max(lifted, 0), 1) + min(max(1 - rest - l, -1), 0)
            return pixel.color.map { $0 * sum / l }
        }
    }

    private static func monochrome(_ pixel: Pixel, _ tint: [Double], _ amount: Double) -> [Double] {
        let y = pixel.luma
        return zip(pixel.color, tint).map { c, tint in
            mix(c, y < 0.5 ? 2 * y * tint : 1 - 2 * (1 - y) * (1 - tint), amount)
        }
    }

    /// The hue is computed by the textbook's cases for the hexagon of hues.
    private static func skinTone(_ adjust: Double, _ upper: SkinTone.UpperTone) -> Pointwise {
        Pointwise(SkinTone(adjust: Float(adjust), upper: upper)) { pixel in
            let c = pixel.clampedColor
            let (most, least) = (c.max() ?? 0, c.min() ?? 0)
            let span = most - least
            var hue = 0.0
            if span > 0 {
                switch most {
                case c[0]: hue = (c[1] - c[2]) / span
                case c[1]: hue = (c[2] - c[0]) / span + 2
                default: hue = (c[0] - c[1]) / span + 4
                }
                hue = (hue / 6 + 1).truncatingRemainder(dividingBy: 1)
            }
            var saturation = most > 0 ? span / most : 0
            let away = min(abs(hue - 0.05), 1 - abs(hue - 0.05)) / 0.5
            let weight = exp(-away * away * 40)
            if upper == .orange && adjust > 0 {
                saturation = min(max(saturation + adjust * weight * 0.4, 0), 1)
            } else {
                hue = (hue + adjust * weight * 0.25 + 1).truncatingRemainder(dividingBy: 1)
            }
            let offsets: [Double] = [0, 4, 2]
            return offsets.map { offset in
                let place = (hue * 6 + offset).truncatingRemainder(dividingBy: 6)
                let pure = min(max(abs(place - 3) - 1, 0), 1)
                return most * mix(1, pure, saturation)
            }
        }
    }

    private static func posterize(_ levels: Int) -> Pointwise {
        let steps = Double(levels)
        return Pointwise(Posterize(levels: levels), slack: 1e-5) { pixel in
            pixel.color.map { ($0 * steps + 0.5).rounded(.down) / steps }
        }
    }

    private static func dither(_ bits: Int) -> Pointwise {
        // Bayer's matrix is built by its rule: each quarter of the next matrix repeats the present one.
        var matrix = [[0]]
        while matrix.count < 8 {
            let count = matrix.count
            let (quarter, firsts) = (matrix, [[0, 2], [3, 1]])
            matrix = (0..<2 * count).map { (y: Int) -> [Int] in
                (0..<2 * count).map { (x: Int) -> Int in
                    4 * quarter[y % count][x % count] + firsts[y / count][x / count]
                }
            }
        }
        let bayer = matrix
        let levels = pow(2, Double(bits)) - 1
        return Pointwise(Dither(bits: bits), slack: 1e-5) { pixel in
            let noise: Double = (Double(bayer[pixel.row % 8][pixel.column % 8]) + 0.5) / 64 - 0.5
            return pixel.color.map { (min(max($0, 0), 1) * levels + 0.5 + noise).rounded(.down) / levels }
        }
    }
}
