import PipEffects
import PipFrames
import PipGraph
import PipPlan
import Testing

@Suite("Steps that a still picture needs once")
struct RepetitionPlanTests {
    private static func plan(isStill: Bool) throws -> (plan: RenderPlan, graph: Graph) {
        let main = TestSource("main")
        let logo = TestSource("logo")
        let picture = Compositor {
            Layer(main)
            Layer(logo --> GaussianBlur(radius: 4)).placed(.topLeft, width: 0.25)
        }
        picture --> NamedSink()
        let graph = picture.node.wiring.graph
        var format = SourceFormat(layout: FrameLayout(.rgba, PixelSize(400, 300)), colorimetry: .srgb)
        format.isStill = isStill
        let sources = [
            main.node.id: SourceFormat(layout: FrameLayout(.nv12, .hd720), colorimetry: .bt709), logo.node.id: format,
        ]
        let sinks = Dictionary(uniqueKeysWithValues: graph.sinks.map { ($0, SinkRequest(format: .nv12)) })
        return (try Planner.plan(PlanInput(graph: graph, sources: sources, sinks: sinks)), graph)
    }

    @Test("a still picture's steps cost nothing in later frames, and are marked")
    func cost() throws {
        let (still, graph) = try Self.plan(isStill: true)
        let moving = try Self.plan(isStill: false).plan
        #expect(still.cost.bytesUploaded == moving.cost.bytesUploaded - 400 * 300 * 4)
        #expect(still.cost.passes < moving.cost.passes)
        let lines = still.description(of: graph).split(separator: "\n")
        let marked = lines.filter { $0.hasSuffix("; only when it changes") }
        #expect(marked.count == still.isStepStill.count(where: \.self))
        #expect(marked.contains { $0.hasPrefix("upload  plane 0 of logo") })
        #expect(marked.allSatisfy { !$0.contains("main") })
        // A layer that is blended over the moving main picture is drawn for each frame of the main picture.
        #expect(lines.contains { $0.hasPrefix("draw") && $0.contains("compositor") && !$0.hasSuffix("changes") })
    }

    @Test("a step changes with any source drawn into its textures")
    func sources() throws {
        let (plan, graph) = try Self.plan(isStill: true)
        for (step, sources) in zip(plan.steps, plan.stepSources) {
            let sources = try #require(sources)
            guard case .draw(let pass) = step else { continue }
            #expect(sources.isSuperset(of: pass.sources))
            let isOnCanvas = plan.textures[pass.targets[0]].label.hasPrefix("compositor")
            #expect(sources.map(graph.label).sorted() == (isOnCanvas ? ["logo", "main"] : ["logo"]))
        }
    }

    @Test("the steps of a fading effect are repeated")
    func fades() throws {
        let main = TestSource("main")
        let filter = main --> Vignette(strength: 1)
        filter.active(from: .zero, to: .seconds(9), fade: .seconds(3))
        filter --> NamedSink()
        let graph = filter.node.wiring.graph
        let format = SourceFormat(layout: FrameLayout(.nv12, PixelSize(64, 36)), colorimetry: .bt709)
        let sinks = Dictionary(uniqueKeysWithValues: graph.sinks.map { ($0, SinkRequest(format: .nv12)) })
        let fading = try Planner.plan(
            PlanInput(graph: graph, sources: [main.node.id: format], sinks: sinks, time: .seconds(1)))
        let whole = try Planner.plan(
            PlanInput(graph: graph, sources: [main.node.id: format], sinks: sinks, time: .seconds(4)))
        #expect(fading.stepSources.contains(nil))
        #expect(!whole.stepSources.contains(nil))
    }
}
