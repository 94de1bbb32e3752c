import Foundation
import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipRender
import Synchronization
import Testing

@Suite("Effects with curves and additional textures", .serialized)
struct OwnTextureTests {
    private func render(_ picture: some FrameProducer, _ source: TestSource, fuses: Bool = true) async throws -> Frame {
        try await rendered(picture, [source], to: .rgba, fuses: fuses, on: try await SharedContext.get())
    }

    @Test("an effect reads its additional textures", arguments: [true, false])
    func ownTextures(fuses: Bool) async throws {
        let size = PixelSize(37, 23)
        let source = TestSource(testPicture(.rgbx, size))
        let frame = try await render(source --> Palette(first: 0.75), source, fuses: fuses)
        let worst = difference(frame) { x, y in
            let place = ((Double(x) + 0.5) / 37, (Double(y) + 0.5) / 23)
            let texel = Int(place.0 * 2) + 2 * Int(place.1 * 2)
            let red = [0.75, 0.25, 0.5, 1][Int(place.0 * 4)]
            return [red, Double(10 + 20 * texel) / 255, Double(20 + 20 * texel) / 255, 1]
        }
        #expect(worst.steps <= 0.5, "\(worst.place)")
    }

    @Test("red, green and blue can have different curves", arguments: [true, false], [true, false])
    func columns(isSmooth: Bool, fuses: Bool) async throws {
        let source = TestSource(testPicture(.rgbx, PixelSize(64, 8)))
        let frame = try await render(source --> Columns(isSmooth: isSmooth) --> Gamma(0.7), source, fuses: fuses)
        let reference = ReferencePicture(source.frame)
        let worst = difference(frame) { x, y in
            let c = (0..<3).map { reference.rgba($0, x, y) / 255 }
            let green = isSmooth ? c[1].squareRoot() : c[1] < 0.5 ? 0 : 1
            return [c[0] * c[0], green, 1 - 0.5 * c[2]].map { pow($0, 0.7) } + [1]
        }
        #expect(worst.steps <= 1, "\(worst.place)")
    }

    @Test("a smooth curve needs no table, another curve does, and two effects share a texture")
    func plannedTextures() async throws {
        let gpu = try await SharedContext.get()
        let source = TestSource(testPicture(.rgbx, PixelSize(8, 8)))
        func constants(_ picture: some FrameProducer, fuses: Bool = true) throws -> [String] {
            let plan = try planned(
                picture, [source], to: SinkRequest(format: .rgba), capabilities: gpu.capabilities.plan, fuses: fuses)
            return plan.textures.compactMap { $0.contents?.label }
        }
        #expect(try constants(source --> Gamma(2)) == [])
        #expect(try constants(source --> Gamma(2), fuses: false) == ["curve gamma 2.0"])
        #expect(try constants(source --> Gamma(0.1)) == ["curve gamma 0.1"])
        #expect(try constants(source --> Columns(isSmooth: false)) == ["curve columns false"])
        #expect(try constants(source --> Palette() --> Contrast(2) --> Palette()) == ["across 0.0", "square"])
    }

    @Test("a texture is made once, however often the plan changes")
    func madeOnce() async throws {
        let source = TestSource(testPicture(.rgbx, PixelSize(16, 8)))
        let count = Mutex(0)
        let gpu = try await RenderContext()
        let plans = try (1...3).map { amount in
            let counted = Counted { count.withLock { $0 += 1 } }
            return try planned(
                source --> counted --> Brightness(Float(amount) / 10), [source], to: SinkRequest(format: .rgba),
                capabilities: gpu.capabilities.plan)
        }
        try await gpu.perform { gpu in
            let renderer = Renderer()
            for plan in plans { renderer.use(try renderer.prepare(plan, framesInFlight: 1, on: gpu)) }
        }
        #expect(count.withLock { $0 } == 1)
    }

    @Test("textures beyond the limit of a pass take one more pass")
    func manyTextures() async throws {
        let source = TestSource(testPicture(.rgbx, PixelSize(16, 8)))
        var node = AnyProducer(node: source.node)
        for index in 0..<5 { node = node.applying(Palette(first: Float(index) / 10)).applying(Contrast(0.9)) }
        let plan = try planned(
            node, [source], to: SinkRequest(format: .rgba),
            capabilities: try await SharedContext.get().capabilities.plan)
        #expect(plan.passes.count == 2)
        #expect(plan.passes.allSatisfy { $0.inputs.count <= 8 })
        let fused = try await render(node, source)
        #expect(largestDifference(fused, try await render(node, source, fuses: false)) <= 1)
    }
}
