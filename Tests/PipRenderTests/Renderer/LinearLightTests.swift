import Foundation
import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipRender
import Testing

@Suite("Linear light", .serialized)
struct LinearLightTests {
    private let size = PixelSize(48, 32)

    private func render(
        _ picture: some FrameProducer, _ sources: [TestSource], to format: PixelFormat = .rgba,
        capabilities change: @Sendable (inout PlanCapabilities) -> Void = { _ in }
    ) async throws -> Frame {
        try await rendered(
            picture, sources, to: format, colorimetry: format.isYUV ? .bt709 : nil, on: try await SharedContext.get(),
            capabilities: change)
    }

    private func plain(_ value: UInt8) -> TestSource { TestSource(makeFrame(.rgbx, size) { _, _, _ in value }) }

    @Test("half white over black is 188 of 255 in linear light, and 128 in encoded values")
    func half() async throws {
        let (black, white) = (plain(0), plain(255))
        for (light, expected) in [(Compositor.Light.linear, 188.0), (.encoded, 127.5)] {
            let picture = Compositor(light: light) {
                Layer(black)
                Layer(white).faded(to: 0.5)
            }
            let drawn = ReferencePicture(try await render(picture, [black, white]))
            #expect(abs(drawn.rgba(1, 20, 9) - expected) <= 0.5)
            let luma = ReferencePicture(try await render(picture, [black, white], to: .nv12)).luma(20, 9)
            #expect(abs(luma - (16 + 219 * expected / 255)) <= 1)
        }
    }

    @Test(
        "a layer is blended by its formula in linear light",
        arguments: BlendReference.all.filter { ![.hardMix, .divide].contains($0.kind) })
    func blend(_ test: BlendReference) async throws {
        let below = TestSource(colorChart(PixelSize(37, 23), seed: 1))
        let above = TestSource(colorChart(PixelSize(20, 11), seed: 2))
        let picture = Compositor(light: .linear) {
            Layer(below)
            Layer(above).placed(x: 5, y: 3, width: 20, height: 11).blended(BlendMode(test.kind)).faded(to: 0.75)
        }
        let drawn = try await render(picture, [below, above])
        let (lower, upper) = (ReferencePicture(below.frame), ReferencePicture(above.frame))
        let worst = difference(drawn) { x, y in
            let base = (0..<3).map { SRGB.decoded(lower.rgba($0, x, y) / 255) }
            guard (5..<25).contains(x), (3..<14).contains(y) else { return base.map(SRGB.encoded) }
            let both = test.function(base, (0..<3).map { SRGB.decoded(upper.rgba($0, x - 5, y - 3) / 255) })
            return zip(base, both).map { SRGB.encoded(mix($0, $1, 0.75)) }
        }
        #expect(worst.steps <= 1.5, "\(worst.place)")
    }

    @Test("a transparent compositor keeps its layers' colours, and alpha is not encoded")
    func transparentCompositor() async throws {
        let (base, gray, white) = (plain(50), plain(120), plain(255))
        let inner = Compositor(canvas: size, background: .clear, light: .linear) {
            Layer(gray).faded(to: 0.5)
            Layer(white).faded(to: 0.5)
        }
        let picture = Compositor(light: .linear) {
            Layer(base)
            Layer(inner)
        }
        let drawn = ReferencePicture(try await render(picture, [base, gray, white]))
        let light = 0.5 + 0.25 * SRGB.decoded(120 / 255.0) + 0.25 * SRGB.decoded(50 / 255.0)
        #expect(abs(drawn.rgba(2, 11, 17) - SRGB.encoded(light) * 255) <= 1.5)
    }

    @Test("Y'CbCr is mixed like R'G'B'", arguments: [PixelFormat.nv12, .i420], [false, true])
    func planes(format: PixelFormat, copies: Bool) async throws {
        let size = size
        let sources = [3, 5].map { (seed: Int) -> TestSource in
            TestSource(
                makeFrame(.rgbx, size) { (_: Int, column: Int, row: Int) -> UInt8 in
                    let code: Int = column / 4 * 5 + row / 2 * seed * 3
                    return UInt8(code % 256)
                })
        }
        let picture = Compositor(light: .linear) {
            Layer(sources[0])
            Layer(sources[1]).placed(x: 7, y: 5, width: 30, height: 20).fitted(.stretch).rounded(8)
                .shadowed(blur: 6, offset: 3, opacity: 0.6).bordered(2.5, Color(red: 1, green: 0.5, blue: 0))
        }
        let colors = ReferencePicture(try await render(picture, sources))
        let drawn = ReferencePicture(
            try await render(picture, sources, to: format) { $0.renderer = copies ? .software : .gpu })
        var worst = 0.0
        for y in 0..<size.height {
            for x in 0..<size.width {
                let yuv = ReferenceColor.yuv((0..<3).map { colors.rgba($0, x, y) / 255 }, .bt709)
                worst = max(worst, abs(drawn.luma(x, y) - yuv[0] * 255))
            }
        }
        #expect(worst <= 1.5)
    }

    @Test("the shadow of a filtered layer darkens the picture below", arguments: [PixelFormat.rgba, .nv12])
    func filtered(format: PixelFormat) async throws {
        // The colours stay within 0…1 also after filters of the planes.
        let sources = [3, 5].map { seed in
            TestSource(
                makeFrame(.nv12, size) { plane, column, row in
                    UInt8((plane == 0 ? 90 : 120) + (column * seed + row * 7) % (plane == 0 ? 90 : 16))
                })
        }
        let picture = Compositor(canvas: size, light: .linear) {
            Layer(sources[0])
            Layer(sources[1] --> GaussianBlur(radius: 3)).placed(x: 14, y: 8, width: 20, height: 12)
                .fitted(.fill).shadowed(blur: 8, offset: 2, opacity: 0.8)
        }
        let fused = try await render(picture, sources, to: format)
        let unfused = try await rendered(
            picture, sources, to: format, fuses: false, on: try await SharedContext.get())
        #expect(largestDifference(fused, unfused) <= 1)
        let bare = Compositor(canvas: size) { Layer(sources[0]) }
        let (shadowed, below) = (
            ReferencePicture(fused), ReferencePicture(try await render(bare, sources, to: format))
        )
        func value(_ picture: ReferencePicture, _ x: Int, _ y: Int) -> Double {
            format.isYUV ? picture.luma(x, y) : picture.rgba(1, x, y)
        }
        #expect((14..<34).allSatisfy { value(shadowed, $0, 22) < value(below, $0, 22) - 10 })
        #expect((0..<48).allSatisfy { abs(value(shadowed, $0, 31) - value(below, $0, 31)) <= 1 })
    }

    @Test("opaque rectangles have the same plan as in encoded values, also with a border of whole pixels")
    func sharedPlan() async throws {
        let capabilities = try await SharedContext.get().capabilities.plan
        let sources = [TestSource(testPicture(.nv12, size)), TestSource(testPicture(.nv12, size, seed: 1))]
        let picture = Compositor(canvas: size) {
            Layer(sources[0])
            Layer(sources[1]).placed(x: 8, y: 8, width: 24, height: 16).bordered(2, .white)
        }
        func plan(_ executor: Executor) throws -> RenderPlan {
            var capabilities = capabilities
            capabilities.executors = [executor]
            return try planned(picture, sources, to: SinkRequest(format: .nv12), capabilities: capabilities)
        }
        for executor in [Executor.gl, .cpu] {
            picture.light = .encoded
            let encoded = try plan(executor)
            picture.light = .linear
            let linear = try plan(executor)
            #expect(linear.steps == encoded.steps && linear.textures == encoded.textures)
        }
    }

    @Test("a translucent layer reads the picture below once, and only in its rectangle")
    func plan() async throws {
        let capabilities = try await SharedContext.get().capabilities.plan
        let sources = [TestSource(testPicture(.nv12, size)), TestSource(testPicture(.nv12, size, seed: 1))]
        let picture = Compositor(canvas: size, light: .linear) {
            Layer(sources[0])
            Layer(sources[1]).placed(x: 8, y: 8, width: 24, height: 16).faded(to: 0.5)
        }
        let plan = try planned(picture, sources, to: SinkRequest(format: .nv12), capabilities: capabilities)
        #expect(plan.outputs.first?.blits.count == 2, "the main picture is still copied as it is")
        #expect(plan.passes.first?.pixels == 24 * 16)
        #expect(plan.passes.allSatisfy { $0.blending == .none })
    }

    @Test("inside its round corners, an opaque layer is drawn without the picture below")
    func solidPart() async throws {
        let capabilities = try await SharedContext.get().capabilities.plan
        let size = PixelSize(128, 96)
        let sources = [TestSource(testPicture(.nv12, size)), TestSource(testPicture(.nv12, size, seed: 1))]
        let picture = Compositor(canvas: size, light: .linear) {
            Layer(sources[0])
            Layer(sources[1]).placed(x: 16, y: 16, width: 96, height: 64).rounded(8)
        }
        let plan = try planned(picture, sources, to: SinkRequest(format: .nv12), capabilities: capabilities)
        // The solid part begins 8 × (1 - √½) + 1 pixels from the edge, so that its corners lie within the curves.
        let (whole, solid) = (96 * 64, 88 * 56)
        let expected = [whole - solid, solid, whole - solid]
        #expect(plan.passes.map(\.pixels).filter { $0 < whole }.prefix(3) == expected[...])
    }
}
