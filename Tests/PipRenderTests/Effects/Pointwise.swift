import Foundation
import PipEffects
import PipFrames
import PipTestSupport
import Testing

/// A per-pixel effect and its exact result in `Double`, from the effect's formula.
struct Pointwise: Sendable, CustomTestStringConvertible {
    /// The input pixel of a reference function.
    struct Pixel {
        /// Red, green and blue, from 0 for code 0 to 1 for code 255.
        var color: [Double]
        /// The pixel's centre, from 0 to 1; `x` increases to the right.
        var x: Double
        var y: Double
        var column: Int
        var row: Int

        /// The colour limited to 0…1, which Y'CbCr may exceed.
        var clampedColor: [Double] { color.map { min(max($0, 0), 1) } }

        /// Luma with the weights of BT.709.
        var luma: Double { 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2] }
    }

    let effect: any Effect
    /// The tolerance of the input colour, for effects with discontinuities, where rounding may choose either side.
    var slack = 0.0
    let reference: @Sendable (Pixel) -> [Double]

    var testDescription: String { effect.label }

    init(_ effect: any Effect, slack: Double = 0, _ reference: @escaping @Sendable (Pixel) -> [Double]) {
        self.effect = effect
        self.slack = slack
        self.reference = reference
    }

    /// The difference between a drawn component and the nearest correct value, in steps of 8 bits.
    func steps(_ actual: Double, _ part: Int, at pixel: Pixel) -> Double {
        let moves = slack == 0 ? [0] : [0, -slack, slack]
        return moves.map { move in
            var moved = pixel
            moved.color = pixel.color.map { $0 + move }
            return abs(min(max(reference(moved)[part], 0), 1) * 255 - actual)
        }.min() ?? .infinity
    }

    /// The largest difference among all components of a drawn frame, and its position.
    func worst(_ drawn: Frame, from source: Frame) -> (steps: Double, place: String) {
        let (actual, picture) = (ReferencePicture(drawn), ReferencePicture(source))
        let size = picture.size
        var worst = (steps: 0.0, place: "")
        for row in 0..<size.height {
            for column in 0..<size.width {
                let place = (Double(column) + 0.5, Double(row) + 0.5)
                let read = picture.color(at: place, width: (1, 1))
                let pixel = Pixel(
                    color: picture.isYUV ? ReferenceColor.rgb(read, .bt709) : Array(read[..<3]),
                    x: place.0 / Double(size.width), y: place.1 / Double(size.height), column: column, row: row)
                for part in 0..<3 {
                    let code = actual.rgba(part, column, row)
                    let steps = steps(code, part, at: pixel)
                    if steps > worst.steps {
                        worst = (steps, "(\(column), \(row)) part \(part): \(code) from \(pixel.color)")
                    }
                }
            }
        }
        return worst
    }
}

/// A picture with extreme inputs for effects: ramps, noise, pure colours, black and white.
///
/// The picture's rows are padded.
func colorChart(_ size: PixelSize, seed: Int = 0) -> Frame {
    var dice = Dice(seed)
    let corners = [0, 255, 128, 1, 254]
    return makeFrame(.rgbx, size, stride: size.width * 4 + 28) { _, column, row in
        let (pixel, part) = (column / 4, column % 4)
        switch (pixel + row) % 4 {
        case 0: return UInt8((pixel * 7 + row * 3) % 256)
        case 1: return UInt8.random(in: 0...255, using: &dice)
        case 2: return UInt8((pixel / 4 + row) >> part & 1) * 255
        default: return UInt8(corners[(pixel / 4 + part * row) % corners.count])
        }
    }
}

/// The linear interpolation between two numbers.
func mix(_ first: Double, _ second: Double, _ share: Double) -> Double { first + (second - first) * share }

/// The smoothstep of GLSL: from 0 to 1 between two edges, with flat ends.
func smoothstep(_ low: Double, _ high: Double, _ x: Double) -> Double {
    let t = min(max((x - low) / (high - low), 0), 1)
    return t * t * (3 - 2 * t)
}
