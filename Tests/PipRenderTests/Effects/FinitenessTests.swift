import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import Testing

/// Draws red for colours with a NaN, infinite or huge component, and green for other colours.
private struct FinitenessProbe: Effect {
    static let name = "finiteness-probe"
    static let summary = "for tests"
    static let parameters: [EffectParameter<FinitenessProbe>] = []

    func operation(in context: EffectContext) -> EffectOperation {
        let text = """
            vec4 EFFECT(vec4 color, vec2 position)
            {
                bool isBad = any(isnan(color)) || any(isinf(color)) || any(greaterThan(abs(color), vec4(1e9)));
                return isBad ? vec4(1.0, 0.0, 0.0, 1.0) : vec4(0.0, 1.0, 0.0, 1.0);
            }
            """
        return .pixel(ShaderCall(ShaderSource("FinitenessProbe.frag", text)))
    }
}

@Suite("Finite colours", .serialized)
struct FinitenessTests {
    private let source = TestSource(colorChart(PixelSize(37, 23)))

    /// Chains whose colours are far outside of 0…1.
    private var extremes: [AnyProducer] {
        let plain = AnyProducer(node: source.node)
        return [plain.applying(Exposure(10)), plain.applying(Brightness(-1)).applying(Contrast(4))]
    }

    private func badPixels(_ picture: some FrameProducer) async throws -> Int {
        let probed = AnyProducer(node: picture.node).applying(FinitenessProbe())
        let drawn = ReferencePicture(
            try await rendered(probed, [source], to: .rgba, on: try await SharedContext.get()))
        return (0..<23).reduce(0) { count, y in
            count + (0..<37).reduce(0) { $0 + (drawn.rgba(0, $1, y) > 0 || drawn.rgba(1, $1, y) < 255 ? 1 : 0) }
        }
    }

    @Test("the probe detects NaN")
    func probe() async throws {
        #expect(try await badPixels(source --> Nonsense()) > 300)
    }

    @Test("a colour effect makes no infinity and no NaN", arguments: ColourTests.all)
    func colours(_ test: Pointwise) async throws {
        for start in extremes {
            #expect(try await badPixels(start.applying(test.effect)) == 0)
        }
    }

    @Test("a blend makes no infinity and no NaN", arguments: BlendKind.allCases)
    func blends(_ kind: BlendKind) async throws {
        #expect(try await badPixels(Blend(BlendMode(kind), base: extremes[1], overlay: extremes[0])) == 0)
    }
}
