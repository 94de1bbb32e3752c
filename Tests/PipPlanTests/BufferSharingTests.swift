import PipEffects
import PipFrames
import PipGraph
import PipPlan
import Testing

@Suite("Planes read from a camera's own buffers")
struct BufferSharingTests {
    private let back = TestSource("back")
    private let front = TestSource("front")

    private func plan(
        _ format: PixelFormat, canImport: Bool = true, isSoftware: Bool = false,
        _ change: (inout Layer) -> Void = { _ in }
    ) throws -> RenderPlan {
        var inset = Layer(front --> Sepia()).placed(.topRight, width: 0.25, margin: 24)
        change(&inset)
        let picture = Compositor {
            Layer(back)
            inset
        }
        picture --> NamedSink()
        let graph = picture.node.wiring.graph
        let source = SourceFormat(layout: FrameLayout(format, .hd720), colorimetry: .bt709, isShareable: true)
        var capabilities = PlanCapabilities()
        capabilities.hasBufferImport = canImport
        capabilities.renderer = isSoftware ? .software : .gpu
        return try Planner.plan(
            PlanInput(
                graph: graph, sources: [back.node.id: source, front.node.id: source],
                sinks: Dictionary(uniqueKeysWithValues: graph.sinks.map { ($0, SinkRequest(format: .nv12)) }),
                capabilities: capabilities))
    }

    @Test("planes in a camera's buffers are not uploaded")
    func shared() throws {
        let plan = try plan(.nv12)
        #expect(plan.uploads.map(\.isShared) == [true, true])
        #expect(plan.cost.bytesUploaded == 0 && plan.cost.bytesShared == 1280 * 720 * 3 / 2)
        #expect(plan.uploads.allSatisfy { $0.source == front.node.id }, "the main picture is copied by the CPU")
    }

    @Test("planes are uploaded where the GPU cannot import buffers, and for texels of three bytes")
    func copied() throws {
        #expect(try plan(.nv12, canImport: false).cost.bytesShared == 0)
        let rgb = try plan(.rgb24)
        #expect(rgb.cost.bytesShared == 0 && rgb.cost.bytesUploaded > 0)
    }

    @Test("planes in a camera's buffers have one stride where the CPU draws")
    func strides() throws {
        #expect(try plan(.i420).cost.bytesUploaded == 0)
        #expect(try plan(.i420, isSoftware: true).cost.bytesShared == 0)
        #expect(try plan(.nv12, isSoftware: true).cost.bytesUploaded == 0)
    }

    @Test("a camera's buffers are never drawn into: a picture below others is a copy")
    func drawnOver() throws {
        let picture = Compositor {
            Layer(back)
            Layer(front).placed(.topRight, width: 0.25, margin: 24).faded(to: 0.5).rounded(10)
        }
        picture --> NamedSink()
        let graph = picture.node.wiring.graph
        let source = SourceFormat(layout: FrameLayout(.nv12, .hd720), colorimetry: .bt709, isShareable: true)
        var capabilities = PlanCapabilities()
        capabilities.hasBufferImport = true
        let plan = try Planner.plan(
            PlanInput(
                graph: graph, sources: [back.node.id: source, front.node.id: source],
                sinks: Dictionary(uniqueKeysWithValues: graph.sinks.map { ($0, SinkRequest(format: .nv12)) }),
                capabilities: capabilities))
        let targets = Set(plan.passes.flatMap(\.targets))
        #expect(plan.uploads.contains { $0.isShared } && plan.uploads.contains { !$0.isShared })
        #expect(plan.uploads.allSatisfy { $0.isShared != targets.contains($0.texture) })
    }
}
