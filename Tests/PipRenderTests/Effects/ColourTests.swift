import Foundation
import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipTestSupport
import Testing

@Suite("Colour effects", .serialized)
struct ColourTests {
    static let all = Pointwise.affineColours + Pointwise.curves + Pointwise.pixels

    private func render(
        _ effect: any Effect, _ source: TestSource, to format: PixelFormat = .rgba, fuses: Bool = true
    ) async throws -> Frame {
        try await rendered(
            AnyProducer(node: source.node).applying(effect), [source], to: format, fuses: fuses,
            on: try await SharedContext.get())
    }

    @Test(
        "a colour effect is correct within a step, at odd sizes and with padded rows", arguments: all,
        [PixelSize(37, 23), PixelSize(3, 5), PixelSize(1, 1)])
    func isRight(_ test: Pointwise, size: PixelSize) async throws {
        let source = TestSource(colorChart(size, seed: size.width))
        let worst = test.worst(try await render(test.effect, source), from: source.frame)
        #expect(worst.steps <= 1, "\(worst.place)")
    }

    @Test("a colour effect is correct on Y'CbCr in a separate pass", arguments: all)
    func isRightOnYUV(_ test: Pointwise) async throws {
        let source = TestSource(testPicture(.nv12, PixelSize(38, 22), seed: 2))
        let worst = test.worst(try await render(test.effect, source, fuses: false), from: source.frame)
        #expect(worst.steps <= 1, "\(worst.place)")
    }

    @Test("a colour effect is correct on a large picture")
    func isRightOnLarge() async throws {
        let source = TestSource(colorChart(PixelSize(1279, 717)))
        let drawn = try await render(Sepia(0.5), source)
        let picture = ReferencePicture(source.frame)
        for corner in [PixelRect(x: 0, y: 0, width: 40, height: 3), PixelRect(x: 1239, y: 714, width: 40, height: 3)] {
            let worst = difference(of: drawn, in: corner) { x, y in
                let c = (0..<3).map { picture.rgba($0, x, y) / 255 }
                let luma = 0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2]
                return zip(c, [1.2, 1, 0.8]).map { mix($0, $1 * luma, 0.5) }
            }
            #expect(worst <= 1)
        }
    }

    private func difference(
        of frame: Frame, in part: PixelRect, _ wanted: (Int, Int) -> [Double]
    ) -> Double {
        let actual = ReferencePicture(frame)
        var worst = 0.0
        for y in part.y..<part.maxY {
            for x in part.x..<part.maxX {
                for (index, value) in wanted(x, y).enumerated() {
                    worst = max(worst, abs(actual.rgba(index, x, y) - min(max(value, 0), 1) * 255))
                }
            }
        }
        return worst
    }

    /// The effects with neutral parameters, which change nothing.
    static let identities: [any Effect] = [
        Brightness(0), Contrast(1), Saturation(1), Gamma(1), Exposure(0), ChannelGain(red: 1), Hue(degrees: 0),
        Hue(degrees: 360), Sepia(0), ColorMatrix([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
        ColorMatrix([0], intensity: 0), HSB(hue: 0), Haze(distance: 0), LuminanceRange(reduction: 0),
        FalseColor(first: .red, second: .red, intensity: 0), Opacity(1), Vibrance(0), WhiteBalance(tint: 0),
        HighlightShadow(shadows: 0), HighlightShadowTint(shadows: 0, .red, highlights: 0, .blue), SkinTone(adjust: 0),
        Monochrome(.red, intensity: 0), Levels(Levels.Range()), LiftGammaGain(gain: [1, 1, 1]),
    ]

    @Test("effects with neutral parameters cost nothing", arguments: identities.indices)
    func identity(index: Int) {
        let context = EffectContext(matrix: .bt709, scale: 1, size: .hd720)
        #expect(Self.identities[index].operation(in: context) == .none)
    }

    @Test("eight bits dithered to eight, and posterised to 255, change no byte")
    func exactAtFullDepth() async throws {
        let source = TestSource(colorChart(PixelSize(64, 32)))
        let plain = try await rendered(source, [source], to: .rgba, on: try await SharedContext.get())
        #expect(largestDifference(try await render(Dither(bits: 8), source), plain) == 0)
        #expect(largestDifference(try await render(Posterize(levels: 255), source), plain) == 0)
    }

    @Test("hues turn towards yellow: red becomes yellowish at 60 degrees")
    func hueDirection() async throws {
        let source = TestSource(makeFrame(.rgbx, PixelSize(2, 2)) { _, column, _ in column % 4 == 0 ? 200 : 0 })
        for effect in [Hue(degrees: 60), HSB(hue: 60)] as [any Effect] {
            let drawn = ReferencePicture(try await render(effect, source))
            #expect(drawn.rgba(1, 0, 0) > drawn.rgba(2, 0, 0) + 20)
        }
    }

    @Test("affine effects map luma and chroma separately")
    func staysInPlanes() throws {
        let context = EffectContext(matrix: .bt709, scale: 1, size: .hd720)
        let effects: [any Effect] = [Hue(degrees: 40), Exposure(1), Grayscale(), Invert()]
        for effect in effects {
            let label = effect.label
            guard case .affine(let transform) = effect.operation(in: context) else {
                Issue.record("\(label) is not affine")
                continue
            }
            let inPlanes = Colorimetry.bt709.rgbFromYCbCr.then(transform).then(Colorimetry.bt709.yCbCrFromRGB)
            #expect(inPlanes.keepsLumaAndChromaApart, "\(label)")
        }
    }

    @Test("the same effect twice is applied twice, fused and unfused", arguments: all)
    func twice(_ test: Pointwise) async throws {
        let source = TestSource(testPicture(.rgbx, PixelSize(48, 32), seed: 4))
        let node = AnyProducer(node: source.node).applying(test.effect).applying(test.effect)
        let gpu = try await SharedContext.get()
        let fused = try await rendered(node, [source], to: .rgba, on: gpu)
        let unfused = try await rendered(node, [source], to: .rgba, fuses: false, on: gpu)
        #expect(largestDifference(fused, unfused) <= 1)
    }

    @Test("random chains of colour effects look the same fused and unfused, within a step", arguments: 0..<24)
    func randomChains(seed: Int) async throws {
        var dice = Dice(seed)
        let smooth = Self.all.filter { $0.slack == 0 }
        let source = TestSource(testPicture([.nv12, .rgbx].randomElement(using: &dice) ?? .nv12, PixelSize(48, 32)))
        var node = AnyProducer(node: source.node)
        for _ in 0..<Int.random(in: 1...4, using: &dice) {
            guard let effect = smooth.randomElement(using: &dice)?.effect else { continue }
            node = node.applying(effect)
        }
        let gpu = try await SharedContext.get()
        let fused = try await rendered(node, [source], to: .rgba, on: gpu)
        let unfused = try await rendered(node, [source], to: .rgba, fuses: false, on: gpu)
        #expect(largestDifference(fused, unfused) <= 1)
    }
}
