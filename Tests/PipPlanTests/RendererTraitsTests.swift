import PipEffects
import PipFrames
import PipGraph
import PipPlan
import Testing

@Suite("Traits of a renderer")
struct RendererTraitsTests {
    private func plan(
        _ request: SinkRequest, _ effect: some Effect = Contrast(1.5), _ change: (inout RendererTraits) -> Void
    ) throws -> RenderPlan {
        let source = TestSource()
        source --> effect --> NamedSink()
        let graph = source.node.wiring.graph
        let format = SourceFormat(layout: FrameLayout(.i420, .hd720), colorimetry: .bt709, isShareable: true)
        var capabilities = PlanCapabilities()
        capabilities.hasBufferImport = true
        change(&capabilities.renderer)
        return try Planner.plan(
            PlanInput(
                graph: graph, sources: [source.node.id: format],
                sinks: Dictionary(uniqueKeysWithValues: graph.sinks.map { ($0, request) }), capabilities: capabilities))
    }

    @Test("the CPU counts a large picture only where the renderer's atomics are slow")
    func atomics() throws {
        #expect(try plan(SinkRequest(.histogram)) { _ in }.outputs.first?.content == .table)
        let counted = try plan(SinkRequest(.histogram)) { $0.hasFastAtomics = false }
        #expect(counted.outputs.first?.content == .picture && counted.outputs.first?.layout.size == .hd720)
    }

    @Test("nothing is counted while the source has no frames", arguments: [true, false])
    func countsNothing(hasFastAtomics: Bool) throws {
        let source = TestSource()
        source --> NamedSink()
        let graph = source.node.wiring.graph
        var capabilities = PlanCapabilities()
        capabilities.renderer.hasFastAtomics = hasFastAtomics
        let plan = try Planner.plan(
            PlanInput(
                graph: graph, sources: [:],
                sinks: Dictionary(uniqueKeysWithValues: graph.sinks.map { ($0, SinkRequest(.histogram)) }),
                capabilities: capabilities))
        #expect(plan.outputs.isEmpty)
    }

    @Test("frames that the CPU reads quickly are changed without drawing, once drawing is expensive")
    func frames() throws {
        let request = SinkRequest(format: .i420)
        #expect(try plan(request) { $0.shadesOnCPU = true }.cost.bytesBlitted == 0)
        let blitted = try plan(request) { ($0.shadesOnCPU, $0.readsFramesQuickly) = (true, true) }
        #expect(blitted.cost.bytesBlitted == 1280 * 720 * 3 / 2 && blitted.passes.isEmpty)
    }

    @Test("planes with several strides are uploaded where an import must have one stride")
    func strides() throws {
        let request = SinkRequest(format: .rgba)
        #expect(try plan(request, Vibrance(0.5)) { _ in }.cost.bytesUploaded == 0)
        #expect(try plan(request, Vibrance(0.5)) { $0.importsStridesOfPlanes = false }.cost.bytesShared == 0)
    }

    @Test("intermediate planes have 32-bit floats where 16-bit floats are no faster")
    func halfFloats() throws {
        func texels(_ change: (inout RendererTraits) -> Void) throws -> Set<TexelFormat> {
            Set(try plan(SinkRequest(format: .nv12), Strong(), change).textures.map(\.format))
        }
        #expect(try texels { _ in }.contains(.rgba16f))
        let full = try texels { $0.hasFastHalfFloats = false }
        #expect(full.contains(.rgba32f) && !full.contains(.rgba16f))
    }
}

/// A blur followed by a contrast, which would make the rounding of 8-bit planes visible.
private struct Strong: Effect {
    static let name = "strong"
    static let summary = "for tests"
    static let parameters: [EffectParameter<Strong>] = []

    func operation(in context: EffectContext) -> EffectOperation {
        .sequence([.gaussian(2), Contrast(2).operation(in: context)])
    }
}
