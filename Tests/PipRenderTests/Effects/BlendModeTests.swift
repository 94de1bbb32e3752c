import Foundation
import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import Testing

@Suite("Blend modes", .serialized)
struct BlendModeTests {
    private func render(
        _ picture: some FrameProducer, _ sources: [TestSource], to format: PixelFormat = .rgba, fuses: Bool = true
    ) async throws -> Frame {
        try await rendered(picture, sources, to: format, fuses: fuses, on: try await SharedContext.get())
    }

    /// A function that gives a pixel's straight colour and its alpha.
    private func pixels(_ source: TestSource) -> (Int, Int) -> [Double] {
        let picture = ReferencePicture(source.frame)
        let hasAlpha = source.frame.layout.format.hasAlpha
        return { x, y in
            let alpha = hasAlpha ? picture.rgba(3, x, y) / 255 : 1
            return (0..<3).map { alpha > 0 ? picture.rgba($0, x, y) / 255 / alpha : 0 } + [alpha]
        }
    }

    @Test("every kind of blend has a test, here or in another file")
    func allAreTested() {
        let special: [BlendKind] = [.sourceOver, .alpha, .dissolve, .mask, .chromaKey, .lumaWipe, .poisson]
        #expect(Set(BlendReference.all.map(\.kind)).union(special) == Set(BlendKind.allCases))
    }

    @Test(
        "two pictures are blended by the formula", arguments: BlendReference.all,
        [PixelSize(37, 23), PixelSize(3, 5), PixelSize(1, 1)])
    func opaque(_ test: BlendReference, size: PixelSize) async throws {
        let (base, over) = (TestSource(colorChart(size, seed: 1)), TestSource(colorChart(size, seed: 2)))
        let drawn = try await render(Blend(BlendMode(test.kind), base: base, overlay: over), [base, over])
        let (lower, upper) = (pixels(base), pixels(over))
        let worst = difference(drawn) { x, y in
            test.function(Array(lower(x, y)[..<3]), Array(upper(x, y)[..<3])) + [1]
        }
        #expect(worst.steps <= 1, "\(worst.place)")
    }

    @Test("translucent pictures are composited by W3C's formula", arguments: [BlendKind.normal, .multiply, .screen])
    func translucent(kind: BlendKind) async throws {
        let size = PixelSize(40, 24)
        let base = TestSource(ConversionTests.translucent(.rgba, size))
        let over = TestSource(
            makeFrame(.rgba, size, colorimetry: .srgb) { _, column, row in
                let alpha = (column / 4 * 13 + row * 31) % 256
                return UInt8(column % 4 == 3 ? alpha : alpha * ((column * 11 + row * 7) % 256) / 255)
            })
        let test = try #require(BlendReference.all.first { $0.kind == kind })
        let drawn = try await render(Blend(BlendMode(kind), base: base, overlay: over), [base, over])
        let (lower, upper) = (pixels(base), pixels(over))
        let worst = difference(drawn) { (x, y) -> [Double] in
            let (b, o) = (lower(x, y), upper(x, y))
            let both = test.function(Array(b[..<3]), Array(o[..<3]).map { min($0, 1) })
            // The expected colours are composited over black.
            return (0..<3).map { (channel: Int) -> Double in
                let (upper, lower) = (o[channel] * (1 - b[3]) * o[3], b[channel] * (1 - o[3]) * b[3])
                return both[channel] * b[3] * o[3] + upper + lower
            }
        }
        #expect(worst.steps <= 2, "\(worst.place)")
    }

    @Test("a layer is blended with the layers below, and keeps its look", arguments: BlendReference.all)
    func layer(_ test: BlendReference) async throws {
        let (below, above) = (
            TestSource(colorChart(PixelSize(37, 23), seed: 1)), TestSource(colorChart(PixelSize(20, 11), seed: 2))
        )
        let picture = Compositor {
            Layer(below)
            Layer(above).placed(x: 5, y: 3, width: 20, height: 11).blended(BlendMode(test.kind)).faded(to: 0.75)
        }
        let drawn = try await render(picture, [below, above])
        let (lower, upper) = (pixels(below), pixels(above))
        let inside = PixelRect(x: 5, y: 3, width: 20, height: 11)
        let worst = difference(drawn) { x, y in
            let base = Array(lower(x, y)[..<3])
            guard inside.contains(PixelRect(x: x, y: y, width: 1, height: 1)) else { return base }
            let both = test.function(base, Array(upper(x - 5, y - 3)[..<3]))
            return zip(base, both).map { mix($0, $1, 0.75) }
        }
        #expect(worst.steps <= 1.5, "\(worst.place)")
    }

    /// A blend mode that computes alpha, and its expected result for two straight colours at a position from 0 to 1.
    struct Special: Sendable, CustomTestStringConvertible {
        let mode: BlendMode
        let function: @Sendable ([Double], [Double], Double) -> [Double]
        var testDescription: String { "\(mode.kind.rawValue) \(mode.mix) \(mode.isInverted)" }
    }

    static let specials: [Special] = [
        Special(mode: .sourceOver) { b, o, _ in (0..<3).map { mix(b[$0], o[$0], o[3]) } },
        Special(mode: .alpha(0.4)) { b, o, _ in (0..<3).map { mix(b[$0], o[$0], o[3] * 0.4) } },
        Special(mode: .dissolve(0.3)) { b, o, _ in (0..<3).map { mix(b[$0] * b[3], o[$0] * o[3], 0.3) } },
        Special(mode: .mask(.luminance)) { b, o, _ in
            let shown = (0.2126 * o[0] + 0.7152 * o[1] + 0.0722 * o[2]) * o[3]
            return (0..<3).map { b[$0] * shown }
        },
        Special(mode: .mask(.alpha, inverted: true)) { b, o, _ in (0..<3).map { b[$0] * (1 - o[3]) } },
        Special(mode: .chromaKey(.green, sensitivity: 0.3, smoothing: 0.4)) { b, o, _ in
            let gone = 1 - smoothstep(0.3, 0.7, chromaDistance(b, [0, 1, 0]))
            return (0..<3).map { mix(b[$0], o[$0], gone * o[3]) }
        },
        Special(mode: .lumaWipe(progress: 0.3, width: 0.5)) { b, o, x in
            let share = min(max((x - 1) / 0.5 + 0.3 * 3, 0), 1)
            return (0..<3).map { mix(b[$0], o[$0] * o[3], share) }
        },
        Special(mode: .lumaWipe(progress: 0.6, width: 0.25, inverted: true)) { b, o, x in
            let share = min(max(-x / 0.25 + 0.6 * 5, 0), 1)
            return (0..<3).map { mix(b[$0], o[$0] * o[3], share) }
        },
    ]

    private static func chromaDistance(_ color: [Double], _ key: [Double]) -> Double {
        let away = (0..<3).map { color[$0] - key[$0] }
        let y = 0.2989 * away[0] + 0.5866 * away[1] + 0.1145 * away[2]
        return hypot(0.7132 * (away[0] - y), 0.5647 * (away[2] - y))
    }

    @Test("masks, keys and wipes follow their formulas, fused and unfused", arguments: specials, [true, false])
    func special(_ test: Special, fuses: Bool) async throws {
        let size = PixelSize(37, 23)
        let base = TestSource(colorChart(size, seed: 1))
        let over = TestSource(ConversionTests.translucent(.rgba, size))
        let drawn = try await render(Blend(test.mode, base: base, overlay: over), [base, over], fuses: fuses)
        let (lower, upper) = (pixels(base), pixels(over))
        let worst = difference(drawn) { x, y in
            test.function(lower(x, y), upper(x, y), (Double(x) + 0.5) / Double(size.width))
        }
        #expect(worst.steps <= 2, "\(worst.place)")
    }

    @Test("spill is removed: a greenish grey becomes grey")
    func spill() async throws {
        let size = PixelSize(8, 8)
        let base = TestSource(makeFrame(.rgbx, size) { _, column, _ in column % 4 == 1 ? 140 : 110 })
        let over = TestSource(makeFrame(.rgbx, size) { _, _, _ in 255 })
        let drawn = ReferencePicture(
            try await render(
                Blend(.chromaKey(.green, sensitivity: 0.05, smoothing: 0.05, spill: 1), base: base, overlay: over),
                [base, over]))
        #expect(abs(drawn.rgba(0, 4, 4) - drawn.rgba(1, 4, 4)) <= 1 && drawn.rgba(1, 4, 4) < 135)
    }

    @Test("a mask selects where the overlay shows", arguments: [false, true])
    func masked(isInverted: Bool) async throws {
        let size = PixelSize(37, 23)
        let sources = (1...3).map { TestSource(colorChart(size, seed: $0)) }
        var mode = BlendMode.multiply
        mode.channel = .green
        mode.isInverted = isInverted
        let drawn = try await render(
            Blend(mode, base: sources[0], overlay: sources[1], mask: sources[2]), sources)
        let (base, over, mask) = (pixels(sources[0]), pixels(sources[1]), pixels(sources[2]))
        let worst = difference(drawn) { x, y in
            let shown = isInverted ? 1 - mask(x, y)[1] : mask(x, y)[1]
            return (0..<3).map { mix(base(x, y)[$0], base(x, y)[$0] * over(x, y)[$0], shown) }
        }
        #expect(worst.steps <= 1, "\(worst.place)")
    }
}
