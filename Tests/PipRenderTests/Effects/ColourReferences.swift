import Foundation
import PipEffects
import PipFrames

extension Pointwise {
    /// Colour effects that are an affine map, with their formulas.
    static let affineColours: [Pointwise] =
        [-2, 0.5, 3, 10].map { stops in
            Pointwise(Exposure(stops)) { pixel in pixel.color.map { $0 * pow(2, Double(stops)) } }
        } + [
            Pointwise(ChannelGain(red: 1.5, green: 0.25, blue: 16)) {
                [$0.color[0] * 1.5, $0.color[1] * 0.25, $0.color[2] * 16]
            },
            Pointwise(Grayscale()) { Array(repeating: $0.luma, count: 3) },
            Pointwise(Invert()) { $0.color.map { 1 - $0 } },
            sepia(1), sepia(0.3),
            hue(90), hue(-30), hue(200),
            hsb(120, 1, 1), hsb(-45, 0.5, 1.25), hsb(0, 2, 1),
            Pointwise(
                ColorMatrix([0, 1, 0, 0.25, 0.5, 0, 0.5, 0, -1, 0, 0, 1, 0, 0, 0, 1], intensity: 0.75)
            ) { pixel in
                let c = pixel.color
                return zip(c, [c[1] + 0.25, 0.5 * c[0] + 0.5 * c[2], 1 - c[0]]).map { mix($0, $1, 0.75) }
            },
            Pointwise(Haze(distance: 0.3)) { $0.color.map { ($0 - 0.3) / 0.7 } },
            Pointwise(Haze(distance: -0.2, color: .red)) {
                [($0.color[0] + 0.2) / 1.2, $0.color[1] / 1.2, $0.color[2] / 1.2]
            },
            Pointwise(Haze(distance: 0.1, slope: -0.3)) { pixel in
                let d = 0.1 - 0.3 * pixel.y
                return pixel.color.map { ($0 - d) / (1 - d) }
            },
            Pointwise(LuminanceRange(reduction: 0.6)) { pixel in pixel.color.map { $0 + (0.5 - pixel.luma) * 0.6 } },
            Pointwise(LuminanceRange(reduction: 1)) { pixel in pixel.color.map { $0 + 0.5 - pixel.luma } },
            Pointwise(FalseColor()) { [$0.luma, 0, mix(0.5, 0, $0.luma)] },
            Pointwise(FalseColor(first: .yellow, second: .blue, intensity: 0.5)) { pixel in
                let drawn = [1 - pixel.luma, 1 - pixel.luma, pixel.luma]
                return zip(pixel.color, drawn).map { mix($0, $1, 0.5) }
            },
        ]

    private static func sepia(_ amount: Float) -> Pointwise {
        Pointwise(Sepia(amount)) { pixel in
            let c = pixel.color
            let luma = 0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2]
            return zip(c, [1.2, 1, 0.8]).map { mix($0, $1 * luma, Double(amount)) }
        }
    }

    /// A rotation in the U-V plane, computed with an angle instead of a matrix.
    private static func hue(_ degrees: Float) -> Pointwise {
        Pointwise(Hue(degrees: degrees)) { pixel in
            let (y, u, v) = (pixel.luma, 0.493 * (pixel.color[2] - pixel.luma), 0.877 * (pixel.color[0] - pixel.luma))
            let angle = atan2(v, u) + Double(degrees) * .pi / 180
            let (red, blue) = (y + hypot(u, v) * sin(angle) / 0.877, y + hypot(u, v) * cos(angle) / 0.493)
            return [red, (y - 0.2126 * red - 0.0722 * blue) / 0.7152, blue]
        }
    }

    /// Haeberli's rotation that keeps luminance.
    ///
    /// Rodrigues' formula rotates the colour around the grey axis; a shift along the axis restores the luminance.
    private static func hsb(_ degrees: Float, _ saturation: Double, _ brightness: Double) -> Pointwise {
        Pointwise(HSB(hue: degrees, saturation: Float(saturation), brightness: Float(brightness))) { pixel in
            let angle = Double(degrees) * .pi / 180
            // The rotation stays within the plane of equal luminance, so the grey part is added unchanged.
            let grey = pixel.luma
            let flat = pixel.color.map { $0 - grey }
            let mean = flat.reduce(0, +) / 3
            let across = flat.map { $0 - mean }
            let normal = (1 / 3.0).squareRoot()
            let turned = (0..<3).map { i in
                let cross = normal * (across[(i + 2) % 3] - across[(i + 1) % 3])
                return across[i] * cos(angle) + cross * sin(angle)
            }
            let luma = 0.2126 * turned[0] + 0.7152 * turned[1] + 0.0722 * turned[2]
            return turned.map { (grey + ($0 - luma) * saturation) * brightness }
        }
    }
}

extension Pointwise {
    /// Colour effects that are a curve for each component, with their formulas.
    static let curves: [Pointwise] = [
        Pointwise(Levels(Levels.Range(low: 0.1, middle: 1.4, high: 0.8, lowOut: 0.05, highOut: 0.9))) { pixel in
            pixel.color.map { 0.05 + 0.85 * pow(min(max(($0 - 0.1) / 0.7, 0), 1), 1 / 1.4) }
        },
        Pointwise(
            Levels(
                red: Levels.Range(low: 0.2), green: Levels.Range(middle: 0.5), blue: Levels.Range(lowOut: 1, highOut: 0)
            )
        ) { [max(($0.color[0] - 0.2) / 0.8, 0), pow($0.color[1], 2), 1 - $0.color[2]] },
        Pointwise(LiftGammaGain(lift: [0.1, -0.2, 0], gamma: [1.5, 1, 0.5], gain: [1, 1.5, 0.75])) { pixel in
            let c = pixel.clampedColor
            return [
                pow(c[0] + 0.1 * (1 - c[0]), 1 / 1.5), 1.5 * (c[1] - 0.2 * (1 - c[1])), pow(0.75 * c[2], 2),
            ]
        },
        whiteBalance(7000, 0), whiteBalance(4000, 0), whiteBalance(5000, 150), whiteBalance(6000, -200),
    ]

    private static func whiteBalance(_ temperature: Double, _ tint: Double) -> Pointwise {
        Pointwise(WhiteBalance(temperature: Float(temperature), tint: Float(tint))) { (pixel) -> [Double] in
            let c: [Double] = pixel.color
            let q: Double = 0.211456 * c[0] - 0.522591 * c[1] + 0.311135 * c[2]
            let moved = min(max(q + tint / 100 * 0.05226, -0.5226), 0.5226) - q
            let tinted = zip(c, [0.6210, -0.6474, 1.7046]).map { (value: Double, part: Double) in value + moved * part }
            let warmth = (temperature - 5000) * (temperature < 5000 ? 0.0004 : 0.00006)
            return zip(tint == 0 ? c : tinted, [0.93, 0.54, 0]).map { (value: Double, warm: Double) -> Double in
                let overlay = value < 0.5 ? 2 * value * warm : 1 - 2 * (1 - value) * (1 - warm)
                return mix(value, overlay, warmth)
            }
        }
    }
}
