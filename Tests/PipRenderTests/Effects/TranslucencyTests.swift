import Foundation
import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipRender
import Testing

@Suite("Effects that make pictures translucent", .serialized)
struct TranslucencyTests {
    /// An effect and the alpha of its result for a colour.
    struct Case: Sendable, CustomTestStringConvertible {
        let effect: any Effect
        let alpha: @Sendable ([Double]) -> Double
        var testDescription: String { effect.label }
    }

    static let cases = [
        Case(effect: Opacity(0.3)) { _ in 0.3 },
        Case(effect: Opacity(0)) { _ in 0 },
        Case(effect: ChromaKey(.green)) { c in key(c, [0, 1, 0], 0.4, 0.1) },
        Case(effect: ChromaKey(.red, sensitivity: 0.2, smoothing: 0.5)) { c in key(c, [1, 0, 0], 0.2, 0.5) },
        Case(effect: ColorMatrix([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.5, 0.25, 0, 0.125])) { c in
            min(0.5 * c[0] + 0.25 * c[1] + 0.125, 1)
        },
    ]

    private static func key(_ color: [Double], _ key: [Double], _ low: Double, _ width: Double) -> Double {
        func chroma(_ c: [Double]) -> (cr: Double, cb: Double) {
            let luma = 0.2989 * c[0] + 0.5866 * c[1] + 0.1145 * c[2]
            return (0.7132 * (c[0] - luma), 0.5647 * (c[2] - luma))
        }
        let (own, other) = (chroma(color), chroma(key))
        return smoothstep(low, low + width, hypot(own.cr - other.cr, own.cb - other.cb))
    }

    @Test("the layer below shows through", arguments: cases, [true, false])
    func showsThrough(_ test: Case, fuses: Bool) async throws {
        let size = PixelSize(37, 23)
        let (below, above) = (TestSource(colorChart(size, seed: 1)), TestSource(colorChart(size, seed: 2)))
        let picture = Compositor {
            Layer(below)
            Layer(AnyProducer(node: above.node).applying(test.effect))
        }
        let drawn = try await rendered(
            picture, [below, above], to: .rgba, fuses: fuses, on: try await SharedContext.get())
        let (lower, upper) = (ReferencePicture(below.frame), ReferencePicture(above.frame))
        let worst = difference(drawn) { x, y in
            let c = (0..<3).map { upper.rgba($0, x, y) / 255 }
            let alpha = test.alpha(c)
            return (0..<3).map { mix(lower.rgba($0, x, y) / 255, c[$0], alpha) }
        }
        #expect(worst.steps <= 1.5, "\(worst.place)")
    }

    @Test(
        "a translucent picture stays translucent after a blur: half a picture gives half a blur",
        arguments: [true, false])
    func throughPasses(fuses: Bool) async throws {
        let size = PixelSize(64, 32)
        let (below, above) = (TestSource(testPicture(.rgbx, size, seed: 1)), TestSource(testPicture(.rgbx, size)))
        func picture(_ effect: some FrameProducer) -> Compositor {
            Compositor {
                Layer(below)
                Layer(effect)
            }
        }
        let gpu = try await SharedContext.get()
        func draw(_ producer: some FrameProducer) async throws -> Frame {
            try await rendered(producer, [below, above], to: .rgba, fuses: fuses, rowsWithin: 2, on: gpu)
        }
        // Another picture is drawn first, to reveal outdated texels.
        _ = try await draw(picture(above --> GaussianBlur(radius: 2) --> Invert()))
        let drawn = try await draw(picture(above --> Opacity(0.5) --> GaussianBlur(radius: 2) --> Contrast(1.1)))
        let whole = ReferencePicture(try await draw(above --> GaussianBlur(radius: 2) --> Contrast(1.1)))
        let lower = ReferencePicture(below.frame)
        let worst = difference(drawn) { x, y in
            (0..<3).map { 0.5 * (lower.rgba($0, x, y) + whole.rgba($0, x, y)) / 255 }
        }
        #expect(worst.steps <= 2, "\(worst.place)")
    }

    @Test(
        "a translucent layer hides nothing, and the frame below is not copied", arguments: [PixelFormat.nv12, .rgba])
    func plan(format: PixelFormat) async throws {
        let size = PixelSize(64, 32)
        let (below, above) = (TestSource(testPicture(.nv12, size)), TestSource(testPicture(.nv12, size, seed: 1)))
        let picture = Compositor {
            Layer(below)
            Layer(above --> ChromaKey())
        }
        let plan = try planned(
            picture, [below, above], to: SinkRequest(format: format),
            capabilities: try await SharedContext.get().capabilities.plan)
        #expect(plan.sources.count == 2)
        #expect(plan.passes.contains { $0.blending != .none })
    }
}
