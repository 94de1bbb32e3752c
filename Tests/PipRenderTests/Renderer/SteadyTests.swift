import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipRender
import Testing

@Suite("A plan that draws frame after frame")
struct SteadyTests {
    @Test("makes no GL objects except fences")
    func objects() async throws {
        let main = TestSource(testPicture(.nv12, PixelSize(128, 72)))
        let inset = TestSource(testPicture(.nv12, PixelSize(64, 36), seed: 1))
        let picture = Compositor {
            Layer(main --> Vignette(strength: 0.5))
            Layer(inset --> GaussianBlur(radius: 2)).placed(.topRight, width: 0.25, margin: 8).rounded(4)
        }
        try await RenderContext.with { gpu in
            let plan = try planned(
                picture, [main, inset], to: SinkRequest(format: .nv12), capabilities: gpu.capabilities.plan)
            let counts = try await gpu.perform { gpu in
                let renderer = Renderer()
                let prepared = try renderer.prepare(plan, framesInFlight: 3, on: gpu)
                renderer.use(prepared)
                let sources = [main, inset]
                let frames = prepared.sources.map { id in sources.first { $0.node.id == id }?.frame }
                var counts: [ObjectCounts] = []
                for number in 0..<40 {
                    let tick = try renderer.draw(frames, timestamp: .zero, sequence: UInt64(number), on: gpu)
                    #expect(tick.drawn == 1)
                    try renderer.collect(timeout: .seconds(10), on: gpu) { _, _ in }
                    gpu.deletePending()
                    counts.append(gpu.objectCounts)
                }
                return counts
            }
            #expect(counts[5].textures > 0)
            #expect(Set(counts.dropFirst(5).map(\.total)).count == 1)
        }
    }
}
