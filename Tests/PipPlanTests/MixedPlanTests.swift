import PipEffects
import PipFrames
import PipGraph
import PipPlan
import Testing

@Suite("Plans drawn by the CPU and OpenGL ES together")
struct MixedPlanTests {
    /// A plan of a large main picture and a small one with an effect.
    private func plan(
        _ effect: some Effect, knowing effects: Set<UInt64>, on renderer: RendererTraits, isAbove: Bool = false,
        hasFloatTargets: Bool = true
    ) throws -> RenderPlan {
        let (main, inset) = (TestSource(), TestSource())
        let picture = Compositor(canvas: PixelSize(3840, 2160)) {
            Layer(main --> Vignette(strength: 0.5))
            Layer(inset --> effect).placed(x: 64, y: 64, width: 640, height: 480)
        }
        let top: any FrameProducer = isAbove ? picture --> effect : picture
        top --> NamedSink()
        let graph = top.node.wiring.graph
        var formats: [NodeID: SourceFormat] = [:]
        for (source, size) in [(main, PixelSize(3840, 2160)), (inset, PixelSize(640, 480))] {
            formats[source.node.id] = SourceFormat(layout: FrameLayout(.nv12, size), colorimetry: .bt709)
        }
        var capabilities = PlanCapabilities()
        capabilities.executors = [.cpu, .gl]
        capabilities.renderer = renderer
        // Transfers to a GPU are expensive, and so is the shading of a software renderer.
        var weights = WorkWeights.typical(shadesOnCPU: renderer.shadesOnCPU)
        if renderer.shadesOnCPU { weights.pixel = 20 } else { weights.movedByte = 1 }
        capabilities.weights = weights
        capabilities.rows.effects = effects.union(try shaders(Vignette(strength: 0.5)))
        capabilities.hasFloatTargets = hasFloatTargets
        return try Planner.plan(
            PlanInput(
                graph: graph, sources: formats,
                sinks: Dictionary(uniqueKeysWithValues: graph.sinks.map { ($0, SinkRequest(format: .nv12)) }),
                capabilities: capabilities))
    }

    private func shaders(_ effect: some Effect) throws -> Set<UInt64> {
        let context = EffectContext(matrix: .bt709, scale: 1, size: PixelSize(640, 480))
        let calls = effect.operation(in: context).flattened.compactMap { operation -> ShaderCall? in
            switch operation {
            case .pixel(let call), .neighbourhood(let call), .sampler(let call), .warp(let call): call
            default: nil
            }
        }
        return Set(try #require(calls.isEmpty ? nil : calls).map(\.source.identity))
    }

    private func transfers(_ plan: RenderPlan) -> [Transfer] {
        plan.steps.compactMap { if case .transfer(let transfer) = $0 { transfer } else { nil } }
    }

    @Test("a GPU draws costly effects, and the large picture is not transferred to the GPU")
    func costly() throws {
        let plan = try plan(Bilateral(), knowing: try shaders(Bilateral()), on: .gpu)
        #expect(plan.isMixed && plan.executor == .cpu)
        #expect(plan.passes.allSatisfy { $0.pixels == 640 * 480 })
        let transfers = transfers(plan)
        #expect(transfers.contains { $0.executor == .gl } && transfers.contains { $0.executor == .cpu })
        #expect(transfers.allSatisfy { plan.textures[$0.texture].size.area <= 640 * 480 })
        #expect(plan.cost.bytesUploaded + plan.cost.bytesReadBack == transfers.reduce(0) { $0 + $1.byteCount })
        // The GPU's first transfer comes before the first step that draws.
        let index = try #require(plan.steps.firstIndex { if case .draw = $0 { true } else { false } })
        let lent = plan.steps.firstIndex {
            if case .transfer(let transfer) = $0 { transfer.executor == .gl } else { false }
        }
        #expect(try #require(lent) < index)
    }

    @Test("software draws nothing that the CPU can draw")
    func software() throws {
        let plan = try plan(Bilateral(), knowing: try shaders(Bilateral()), on: .software)
        #expect(plan.executor == .cpu && plan.passes.isEmpty && transfers(plan).isEmpty)
    }

    @Test("an effect that the CPU has no code for becomes a separate picture, of any range of values")
    func unknown() throws {
        let plan = try plan(Solarize(), knowing: [], on: .software)
        #expect(plan.isMixed)
        let target = try #require(plan.passes.first?.targets.first)
        #expect(plan.passes.count == 1 && plan.textures[target].format == .rgba32f)
        let narrow = try self.plan(Solarize(), knowing: [], on: .software, hasFloatTargets: false)
        #expect(narrow.passes.first?.targets.first.map { narrow.textures[$0].format } == .rgba8)
    }

    @Test("OpenGL ES draws everything where the CPU lacks a blend in linear light, which is no picture of its own")
    func linearBlend() throws {
        let (main, inset) = (TestSource("main"), TestSource("inset"))
        let picture = Compositor(canvas: PixelSize(640, 360), light: .linear) {
            Layer(main)
            Layer(inset --> Solarize()).placed(x: 16, y: 16, width: 160, height: 120).blended(BlendMode(.multiply))
        }
        var capabilities = PlanCapabilities()
        capabilities.executors = [.cpu, .gl]
        capabilities.renderer = .software
        let plan = try PipPlanTests.plan(
            picture, [(main, .nv12, PixelSize(3840, 2160)), (inset, .nv12, PixelSize(640, 480))], to: .rgba,
            capabilities: capabilities)
        #expect(plan.executor == .gl && transfers(plan).isEmpty)
        // No pass is left out of an output.
        #expect(plan.outputs.allSatisfy { $0.draws == nil && !$0.readbacks.isEmpty })
    }

    @Test("OpenGL ES draws everything where most of the picture would be transferred to it")
    func all() throws {
        let plan = try plan(Solarize(), knowing: [], on: .gpu, isAbove: true)
        #expect(plan.executor == .gl && transfers(plan).isEmpty)
    }
}
