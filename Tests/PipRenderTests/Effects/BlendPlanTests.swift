import Foundation
import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipRender
import PipTestSupport
import Testing

@Suite("Blends in plans", .serialized)
struct BlendPlanTests {
    private let size = PixelSize(64, 32)

    private func plan(
        _ picture: some FrameProducer, _ sources: [TestSource], to format: PixelFormat = .rgba
    ) async throws -> RenderPlan {
        try planned(
            picture, sources, to: SinkRequest(format: format),
            capabilities: try await SharedContext.get().capabilities.plan)
    }

    private func render(
        _ picture: some FrameProducer, _ sources: [TestSource], to format: PixelFormat = .rgba, fuses: Bool = true,
        rowsWithin: Int = 1
    ) async throws -> Frame {
        try await rendered(
            picture, sources, to: format, fuses: fuses, rowsWithin: rowsWithin, on: try await SharedContext.get())
    }

    @Test("effects before and after a blend share the base's pass, so a blend takes one more pass")
    func passes() async throws {
        let (base, over) = (TestSource(testPicture(.nv12, size)), TestSource(testPicture(.nv12, size, seed: 1)))
        let blend = Blend(.overlay, base: base --> Contrast(1.2), overlay: over --> Saturation(0.5)) --> Gamma(0.8)
        let plan = try await plan(blend, [base, over])
        #expect(plan.passes.count == 2)
        #expect(plan.uploads.count == 4)
    }

    @Test("one source may be base and overlay: its square is drawn, and the source is uploaded once")
    func sameSource() async throws {
        let source = TestSource(testPicture(.rgbx, size))
        let blend = Blend(.multiply, base: source, overlay: source)
        #expect(try await plan(blend, [source]).uploads.count == 1)
        let picture = ReferencePicture(source.frame)
        let worst = difference(try await render(blend, [source])) { x, y in
            (0..<3).map { pow(picture.rgba($0, x, y) / 255, 2) }
        }
        #expect(worst.steps <= 1, "\(worst.place)")
    }

    @Test("a blend with amount 0 costs nothing and changes no byte")
    func identity() async throws {
        let (base, over) = (TestSource(testPicture(.nv12, size)), TestSource(testPicture(.nv12, size, seed: 1)))
        let blend = Blend(.alpha(0), base: base, overlay: over)
        #expect(try await plan(blend, [base, over], to: .nv12).passes.isEmpty)
        #expect(largestDifference(try await render(blend, [base, over], to: .nv12), base.frame) == 0)
    }

    @Test("an overlay without frames leaves the base unchanged")
    func missingOverlay() async throws {
        let (base, over) = (TestSource(testPicture(.rgbx, size)), TestSource(testPicture(.rgbx, size, seed: 1)))
        let blend = Blend(.multiply, base: base, overlay: over)
        let drawn = try await render(blend, [base])
        #expect(largestDifference(drawn, try await render(base, [base])) == 0)
    }

    @Test("an overlay of another size is stretched to the base's size")
    func otherSize() async throws {
        let base = TestSource(makeFrame(.rgbx, size) { _, _, _ in 200 })
        let over = TestSource(makeFrame(.rgbx, PixelSize(2, 1)) { _, column, _ in column < 4 ? 0 : 255 })
        let drawn = ReferencePicture(try await render(Blend(.multiply, base: base, overlay: over), [base, over]))
        #expect(drawn.size == size)
        #expect(drawn.rgba(0, 2, 5) == 0 && drawn.rgba(0, 61, 30) == 200)
    }

    @Test("blended layers draw the layers below once more, in their rectangle only")
    func layerPlan() async throws {
        let (base, over) = (TestSource(testPicture(.nv12, size)), TestSource(testPicture(.nv12, size, seed: 1)))
        let picture = Compositor {
            Layer(base)
            Layer(over).placed(x: 16, y: 8, width: 16, height: 8).blended(.multiply)
        }
        let plan = try await plan(picture, [base, over], to: .nv12)
        #expect(plan.outputs.first?.blits.count == 2, "the main picture is still copied as it is")
        #expect(plan.passes.first?.pixels == 16 * 8)
    }

    @Test("a fully transparent layer leaves the layers below unchanged", arguments: [PixelFormat.rgba, .nv12])
    func layerOfNothing(format: PixelFormat) async throws {
        let (base, over) = (TestSource(testPicture(.rgbx, size)), TestSource(testPicture(.rgbx, size, seed: 1)))
        func picture(_ mix: Float?) -> Compositor {
            Compositor {
                Layer(base)
                if let mix { Layer(over).blended(.alpha(mix)) }
            }
        }
        let drawn = try await render(picture(0), [base, over], to: format)
        #expect(largestDifference(drawn, try await render(picture(nil), [base, over], to: format)) <= 1)
    }

    @Test("a picture hidden by a blended layer is drawn only for the blend, and layers above hide the blend")
    func hiddenLayers() async throws {
        let sources = (0..<3).map { TestSource(testPicture(.rgbx, size, seed: $0)) }
        let blended = Compositor {
            Layer(sources[0])
            Layer(sources[1]).blended(.multiply)
        }
        let both = try await plan(blended, sources)
        #expect(both.passes.count == 2)
        #expect(Set(both.outputs.flatMap(\.sources)) == Set(sources[..<2].map(\.node.id)))
        let hidden = Compositor {
            Layer(sources[0])
            Layer(sources[1]).blended(.multiply)
            Layer(sources[2])
        }
        #expect(try await plan(hidden, sources).passes.count == 1)
    }

    @Test("a crop before a blend is the base of the overlay, and a crop after it takes a part of both")
    func crops() async throws {
        let (base, over) = (TestSource(testPicture(.rgbx, size)), TestSource(testPicture(.rgbx, size, seed: 1)))
        let crop = Crop(x: 0.25, y: 0.5, width: 0.5, height: 0.5)
        let (lower, upper) = (ReferencePicture(base.frame), ReferencePicture(over.frame))
        let after = try await render(Blend(.multiply, base: base, overlay: over) --> crop, [base, over])
        let worst = difference(after) { x, y in
            (0..<3).map { lower.rgba($0, x + 16, y + 16) * upper.rgba($0, x + 16, y + 16) / 255 / 255 }
        }
        #expect(ReferencePicture(after).size == PixelSize(32, 16))
        #expect(worst.steps <= 1.5, "\(worst.place)")
        let before = try await render(
            Blend(.multiply, base: base --> crop, overlay: over --> crop), [base, over])
        #expect(largestDifference(before, after) <= 1)
    }

    @Test("a parameter out of range is refused by name")
    func refuses() async throws {
        let (base, over) = (TestSource(testPicture(.rgbx, size)), TestSource(testPicture(.rgbx, size, seed: 1)))
        let blend = Blend(.alpha(2), base: base, overlay: over)
        let error = await #expect(throws: GraphError.self) { try await plan(blend, [base, over]) }
        #expect(error?.description == "blend alpha: mix is 2, but must be 0 to 1")
        #expect(throws: EffectError.self) { try blend.update { $0.mix = .nan } }
        try blend.update { $0.mix = 0.25 }
        #expect(blend.mode.mix == 0.25)
        let picture = Compositor {
            Layer(base)
            Layer(over).blended(.lumaWipe(progress: -1))
        }
        await #expect(throws: GraphError.self) { try await plan(picture, [base, over]) }
    }

    @Test("a transparent compositor shows the layers below")
    func transparentCompositor() async throws {
        let (base, over) = (TestSource(testPicture(.rgbx, size)), TestSource(testPicture(.rgbx, size, seed: 1)))
        let inner = Compositor(canvas: size, background: .clear) {
            Layer(over).placed(x: 0, y: 0, width: 32, height: 32).fitted(.stretch)
        }
        let picture = Compositor {
            Layer(base)
            Layer(inner)
        }
        let drawn = ReferencePicture(try await render(picture, [base, over]))
        let below = ReferencePicture(base.frame)
        #expect((33..<64).allSatisfy { drawn.rgba(1, $0, 9) == below.rgba(1, $0, 9) })
        #expect((0..<31).contains { drawn.rgba(1, $0, 9) != below.rgba(1, $0, 9) })
    }

    @Test("random blends are the same fused and unfused", arguments: 0..<24, Compositor.Light.allCases)
    func random(seed: Int, light: Compositor.Light) async throws {
        var dice = Dice(seed)
        let smooth: [BlendKind] = [
            .normal, .alpha, .dissolve, .add, .subtract, .multiply, .screen, .overlay, .hardLight, .softLightPegtop,
            .darken, .lighten, .linearLight, .difference, .exclusion, .luminosity,
        ]
        let formats: [PixelFormat] = [.nv12, .i420, .rgbx, .yuyv]
        let sources = (0..<2).map { index in
            TestSource(testPicture(formats.randomElement(using: &dice) ?? .nv12, size, seed: seed + index))
        }
        let lower = dice.chain(from: sources[0], length: .random(in: 0...2, using: &dice))
        let upper = dice.chain(from: sources[1], length: .random(in: 0...2, using: &dice))
        let mode = BlendMode(smooth.randomElement(using: &dice) ?? .normal)
        let blend = Blend(mode, base: lower, overlay: upper)
        let picture = Compositor(canvas: size, light: light) {
            Layer(lower)
            Layer(blend).oriented(Orientation.allCases.randomElement(using: &dice) ?? .identity)
                .placed(x: 8, y: 4, width: 40, height: 20).blended(mode)
        }
        let target = SinkRequest.formats.randomElement(using: &dice) ?? .nv12
        let fused = try await render(picture, sources, to: target, rowsWithin: 8)
        let unfused = try await render(picture, sources, to: target, fuses: false, rowsWithin: 8)
        #expect(largestDifference(fused, unfused) <= 3)
    }
}
