import PipTestSupport
import Testing

@testable import PipCompose

/// Inverts the picture after a number of useless rounds of arithmetic, like an app's badly written effect.
private struct Laborious: Effect {
    static let name = "laborious"
    static let summary = "for tests"
    static let parameters = [EffectParameter<Laborious>("rounds", \.rounds, in: 0...100_000, "of work for each pixel")]
    var rounds: Float = 0

    func operation(in context: EffectContext) -> EffectOperation {
        .pixel(
            ShaderCall(
                ShaderSource(
                    "Laborious.frag",
                    """
                    uniform float PREFIX(rounds);
                    vec4 EFFECT(vec4 color, vec2 position)
                    {
                        float x = position.x + position.y;
                        for (int round = 0; round < int(PREFIX(rounds)); round++) {
                            for (int part = 0; part < 32; part++) x = fract(sin(x) * 43758.5 + float(part));
                        }
                        return vec4(1.0 - color.rgb + 1e-6 * x, color.a);
                    }
                    """), [.float("rounds", rounds)]))
    }
}

@Suite("An effect that takes too long", .serialized, .timeLimit(.minutes(5)))
struct SlowEffectTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("row 42: a slow effect is muted while a session runs, an event says so, and the picture continues without it")
    func slow() async throws {
        let laborious = Laborious()
        let filter = try folder.gray(60) --> Filter(laborious)
        let tap = FrameTap(.nv12, buffering: .newest(4))
        filter --> tap
        let session = try await Session(filter, options: .live(30))
        // A GPU needs almost no time for the work with which a software renderer is slow.
        guard session.renderer.isSoftware else { return }
        _ = try await running(session) {
            var frames = tap.frames.makeAsyncIterator()
            // Code 60 of the range 16 to 235, inverted, is 191.
            let inverted = await firstFrame(&frames) { $0.luma(5, 5) == 191 }
            #expect(inverted != nil)
            // The work for a frame of 64 × 48 pixels takes a software renderer more than a quarter of a second.
            try filter.update { $0.rounds = 20_000 }
            let without = await firstFrame(&frames) { $0.luma(5, 5) == 60 }
            #expect(without != nil, "it is still drawn")
            // The session draws at the requested rate again.
            let last = session.statistics.output.frames
            #expect(await waitUntil { session.statistics.output.frames > last + 60 })
            let later = await firstFrame(&frames) { _ in true }
            #expect(later?.luma(5, 5) == 60)
            #expect(filter.isMuted)
        }
        let told = await events(of: session).compactMap { event -> String? in
            guard case .effectSwitchedOff(_, let time) = event else { return nil }
            #expect(time > .milliseconds(250))
            return event.description
        }
        #expect(told.count == 1)
        #expect(told.first?.contains("laborious") == true)
    }
}
