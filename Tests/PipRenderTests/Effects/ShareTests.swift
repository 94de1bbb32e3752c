import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipRender
import Testing

@Suite("A partly faded effect", .serialized)
struct ShareTests {
    @Test(
        "the share of an effect follows each frame's timestamp",
        arguments: [(0, 100), (1000, 100), (1250, 127), (1500, 155), (1900, 155)])
    func mixed(milliseconds: Int, expected: Int) async throws {
        let gpu = try await SharedContext.get()
        let source = TestSource(makeFrame(.rgba, PixelSize(8, 8)) { _, column, _ in column % 4 == 3 ? 255 : 100 })
        let filter = source --> Invert().active(from: .seconds(1), fade: .milliseconds(500))
        let end = AnyProducer(node: filter.node).applying(Brightness(0))
        var graph = end.node.wiring.graph
        let sink = NodeID()
        graph.set(.sink(SinkRecord(NamedSink(), input: end.node.id)), for: sink)
        let format = SourceFormat(layout: source.frame.layout, colorimetry: .bt709)
        // The plan is made for a time during the fade, and the frame is drawn for another time.
        let plan = try Planner.plan(
            PlanInput(
                graph: graph, sources: [source.node.id: format], sinks: [sink: SinkRequest(format: .rgba)],
                time: .milliseconds(1200)))
        let gray = try await gpu.perform { gpu in
            let renderer = SharedContext.renderer(on: gpu, isShared: true)
            renderer.use(try renderer.prepare(plan, framesInFlight: 1, on: gpu))
            _ = try renderer.draw(
                [source.frame], timestamp: .zero, sequence: 0, time: .milliseconds(milliseconds), on: gpu)
            var result: Frame?
            try renderer.collect(timeout: .seconds(10), on: gpu) { _, frame in result = frame }
            return result.map { Int(bytes(of: $0, plane: 0)[0]) }
        }

        #expect(abs((gray ?? 0) - expected) <= 1)
    }
}
