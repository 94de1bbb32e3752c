import Foundation
import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipTestSupport
import Testing

@Suite("Effects against a reference in Double", .serialized)
struct EffectTests {
    /// A per-pixel effect and its expected colour; the function gets the colour and the position from 0 to 1.
    struct Pointwise: Sendable, CustomTestStringConvertible {
        let effect: any Effect
        let reference: @Sendable ([Double], Double, Double) -> [Double]
        var testDescription: String { effect.label }
    }

    static func smoothstep(_ low: Double, _ high: Double, _ x: Double) -> Double {
        let t = min(max((x - low) / (high - low), 0), 1)
        return t * t * (3 - 2 * t)
    }

    static func brightness(_ amount: Float) -> Pointwise {
        let added = Double(amount)
        return Pointwise(effect: Brightness(amount)) { c, _, _ in [c[0] + added, c[1] + added, c[2] + added] }
    }

    static func contrast(_ amount: Float) -> Pointwise {
        let factor = Double(amount)
        return Pointwise(effect: Contrast(amount)) { c, _, _ in
            c.map { (part: Double) -> Double in (part - 0.5) * factor + 0.5 }
        }
    }

    static func saturation(_ amount: Float) -> Pointwise {
        let factor = Double(amount)
        return Pointwise(effect: Saturation(amount)) { c, _, _ in
            let luma: Double = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]
            return c.map { (part: Double) -> Double in luma + (part - luma) * factor }
        }
    }

    static func gamma(_ amount: Float) -> Pointwise {
        let exponent = Double(amount)
        return Pointwise(effect: Gamma(amount)) { c, _, _ in
            c.map { (part: Double) -> Double in pow(min(max(part, 0), 1), exponent) }
        }
    }

    static func vignette(_ strength: Float, _ start: Float, _ end: Float) -> Pointwise {
        let low = Double(start)
        let high = max(Double(end), low + 0.001)
        let most = Double(strength)
        return Pointwise(effect: Vignette(strength: strength, start: start, end: end)) { c, x, y in
            let left: Double = 1 - most * smoothstep(low, high, hypot(x - 0.5, y - 0.5))
            return c.map { (part: Double) -> Double in part * left }
        }
    }

    /// A coloured vignette around a point outside of the middle.
    static let tintedVignette: Pointwise = {
        var effect = Vignette(strength: 0.8, start: 0.1, end: 0.6, color: Color(red: 0.2, green: 0.4, blue: 1))
        (effect.centerX, effect.centerY) = (0.25, 0.75)
        return Pointwise(effect: effect) { c, x, y in
            let share = 0.8 * smoothstep(0.1, 0.6, hypot(x - 0.25, y - 0.75))
            return zip(c, [0.2, 0.4, 1]).map { part, tint in part + (tint - part) * share }
        }
    }()

    static let placeTint = Pointwise(effect: PlaceTint()) { c, x, y in [1 - c[0], c[1] + 0.5 * x, c[2] + 0.5 * y] }

    static var allPointwise: [Pointwise] {
        var tests: [Pointwise] = [-1, -0.3, 0.2, 1].map(brightness)
        tests += [0, 0.5, 1.7, 4].map(contrast)
        tests += [0, 0.4, 1.5, 2].map(saturation)
        tests += [0.05, 0.45, 2.2, 5].map(gamma)
        tests += [vignette(0.4, 0.3, 0.75), vignette(1, 0, 2), vignette(1, 0.5, 0.5), tintedVignette, placeTint]
        return tests
    }

    static let sizes = [PixelSize(37, 23), PixelSize(3, 5), PixelSize(1, 1)]

    private func render(_ picture: some FrameProducer, _ source: TestSource) async throws -> Frame {
        try await rendered(picture, [source], to: .rgba, on: try await SharedContext.get())
    }

    @Test("a per-pixel effect is correct within a step", arguments: allPointwise, [PixelFormat.rgbx, .nv12])
    func ofOnePixel(_ test: Pointwise, format: PixelFormat) async throws {
        for size in [PixelSize(37, 23)] {
            let source = TestSource(testPicture(format, size, seed: 2))
            let frame = try await render(AnyProducer(node: source.node).applying(test.effect), source)
            let reference = ReferencePicture(source.frame)
            let worst = difference(frame) { x, y in
                let color = reference.color(at: (Double(x) + 0.5, Double(y) + 0.5), width: (1, 1))
                let rgb = reference.isYUV ? ReferenceColor.rgb(color, .bt709) : Array(color[..<3])
                return test.reference(
                    rgb, (Double(x) + 0.5) / Double(size.width), (Double(y) + 0.5) / Double(size.height)) + [1]
            }
            #expect(worst.steps <= 1, "\(size): \(worst.place)")
        }
    }

    private func pixels(_ source: TestSource) -> (Int, Int) -> [Double] {
        let reference = ReferencePicture(source.frame)
        let size = reference.size
        return { x, y in
            (0..<3).map { reference.rgba($0, min(max(x, 0), size.width - 1), min(max(y, 0), size.height - 1)) / 255 }
        }
    }

    @Test("edges are the length of the Sobel gradient of luma", arguments: sizes, [0.5, 1, 4])
    func sobel(size: PixelSize, strength: Double) async throws {
        let source = TestSource(ConversionTests.bars(.rgbx, size, stride: 1024))
        let frame = try await render(source --> Sobel(strength: Float(strength)), source)
        let at = pixels(source)
        let worst = difference(frame) { x, y in
            var gradient = (x: 0.0, y: 0.0)
            for j in -1...1 {
                for i in -1...1 {
                    let c = at(x + i, y + j)
                    let luma = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]
                    gradient.x += luma * Double(i * (j == 0 ? 2 : 1))
                    gradient.y += luma * Double(j * (i == 0 ? 2 : 1))
                }
            }
            return Array(repeating: strength * hypot(gradient.x, gradient.y), count: 3) + [1]
        }
        #expect(worst.steps <= 2, "\(worst.place)")
    }

    @Test("a blur weights pixels with a Gaussian kernel", arguments: sizes, [0.5, 2, 6.5])
    func blur(size: PixelSize, sigma: Double) async throws {
        let source = TestSource(ConversionTests.bars(.rgbx, size, stride: 1024))
        let frame = try await render(source --> GaussianBlur(radius: Float(sigma)), source)
        let at = pixels(source)
        // The sum extends to where the Gaussian is below a millionth, far beyond the effect's kernel.
        let reach = Int(sigma * 5.3) + 1
        let bell = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        let sum = bell.reduce(0, +)
        var across: [[[Double]]] = []
        for y in 0..<size.height {
            across.append(
                (0..<size.width).map { x in
                    var total = [0.0, 0, 0]
                    for (index, weight) in bell.enumerated() {
                        let c = at(x + index - reach, y)
                        for part in 0..<3 { total[part] += weight / sum * c[part] }
                    }
                    return total
                })
        }
        let worst = difference(frame) { x, y in
            var total = [0.0, 0, 0]
            for (index, weight) in bell.enumerated() {
                let c = across[min(max(y + index - reach, 0), size.height - 1)][x]
                for part in 0..<3 { total[part] += weight / sum * c[part] }
            }
            return total + [1]
        }
        #expect(worst.steps <= 2, "\(worst.place)")
    }

    @Test("a mirror exchanges left and right without changing a byte", arguments: sizes)
    func mirror(size: PixelSize) async throws {
        let source = TestSource(ConversionTests.bars(.rgbx, size, stride: 1024))
        let frame = try await render(source --> Mirror(), source)
        let at = pixels(source)
        #expect(difference(frame) { x, y in at(size.width - 1 - x, y) + [1] }.steps == 0)
    }

    static let identities: [any Effect] = [
        Brightness(0), Contrast(1), Saturation(1), Gamma(1), Vignette(strength: 0), GaussianBlur(radius: 0),
    ]

    @Test(
        "an effect with neutral parameters changes no byte",
        arguments: identities.indices, [PixelFormat.nv12, .i420, .rgba])
    func identity(index: Int, format: PixelFormat) async throws {
        let frame =
            format == .rgba ? ConversionTests.bars(.rgbx, PixelSize(127, 71)) : testPicture(format, PixelSize(127, 71))
        let source = TestSource(frame)
        let picture = AnyProducer(node: source.node).applying(Self.identities[index])
        let drawn = try await rendered(picture, [source], to: format, on: try await SharedContext.get())
        guard format == .rgba else {
            #expect(largestDifference(drawn, frame) == 0)
            return
        }
        let at = pixels(source)
        #expect(difference(drawn) { x, y in at(x, y) + [1] }.steps == 0)
    }

    @Test("an app's own effect may read neighbouring pixels", arguments: sizes)
    func ownNeighbourhood(size: PixelSize) async throws {
        let source = TestSource(ConversionTests.bars(.rgbx, size))
        let frame = try await render(source --> Dilate(), source)
        let at = pixels(source)
        let worst = difference(frame) { x, y in
            let around = (-1...1).flatMap { j in (-1...1).map { i in at(x + i, y + j) } }
            return (0..<3).map { part in around.map { $0[part] }.max() ?? 0 } + [1]
        }
        #expect(worst.steps == 0, "\(worst.place)")
    }

    @Test("an app's own warp interpolates between pixels", arguments: [1.0, -2.5])
    func ownWarp(turn: Double) async throws {
        let size = PixelSize(61, 41)
        let source = TestSource(testPicture(.rgbx, size))
        var twist = Twist()
        twist.turn = Float(turn)
        let frame = try await render(source --> twist, source)
        let reference = ReferencePicture(source.frame)
        let worst = difference(frame) { x, y in
            let away = ((Double(x) + 0.5) / 61 - 0.5, (Double(y) + 0.5) / 41 - 0.5)
            let angle = turn * max(0, 1 - 2 * hypot(away.0, away.1))
            let place = (
                61 * (0.5 + cos(angle) * away.0 - sin(angle) * away.1),
                41 * (0.5 + sin(angle) * away.0 + cos(angle) * away.1)
            )
            return reference.color(at: place, width: (1, 1))
        }
        #expect(worst.steps <= 1, "\(worst.place)")
    }

    @Test("NaN stays in its pixel, and the pixel is drawn", arguments: [true, false])
    func nonsense(fuses: Bool) async throws {
        let source = TestSource(testPicture(.rgbx, PixelSize(64, 8)))
        let gpu = try await SharedContext.get()
        let poisoned = source --> Nonsense() --> Contrast(1.5) --> GaussianBlur(radius: 1) --> Gamma(2)
        let contrast = source --> Contrast(1.5) --> GaussianBlur(radius: 1) --> Gamma(2)
        let actual = bytes(of: try await rendered(poisoned, [source], to: .rgba, fuses: fuses, on: gpu), plane: 0)
        let wanted = bytes(of: try await rendered(contrast, [source], to: .rgba, fuses: fuses, on: gpu), plane: 0)
        for y in 0..<8 {
            let right = (y * 64 + 40) * 4..<(y + 1) * 64 * 4
            #expect(actual[right] == wanted[right])
        }
    }

    @Test("an error in a shader is reported with its file and line")
    func broken() async throws {
        let source = TestSource(testPicture(.rgbx, PixelSize(8, 8)))
        let error = await #expect(throws: GLError.self) { try await render(source --> Broken(), source) }
        #expect(error?.description.contains("Broken.frag:3") == true, "\(error?.description ?? "no error")")
        #expect(error?.description.contains("missingName") == true)
    }
}
