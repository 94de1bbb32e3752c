import PipEffects
import PipFrames
import PipGraph
import PipPlan
import PipTestSupport
import Testing

@Suite("Work that outputs share")
struct SharingTests {
    let back = TestSource("back")
    let front = TestSource("front")

    /// Plans a graph for sinks, each with its own request.
    private func plan(
        _ sinks: [(any FrameProducer, SinkRequest)], size: PixelSize = .hd720, format: PixelFormat = .nv12
    ) throws -> RenderPlan {
        var requests: [NodeID: SinkRequest] = [:]
        for (producer, request) in sinks {
            let id = NodeID()
            producer.node.wiring.edit { (graph: inout Graph) throws(Never) in
                graph.set(.sink(SinkRecord(NamedSink(), input: producer.node.id)), for: id)
            }
            requests[id] = request
        }
        let graph = back.node.wiring.graph
        let source = SourceFormat(layout: FrameLayout(format, size), colorimetry: .bt709)
        let formats = Dictionary(uniqueKeysWithValues: graph.sources.map { ($0, source) })
        return try Planner.plan(PlanInput(graph: graph, sources: formats, sinks: requests))
    }

    private var picture: Compositor {
        Compositor {
            Layer(back)
            Layer(front).placed(.topRight, width: 0.25, margin: 24)
        }
    }

    @Test("two sinks of the same format share one read-back")
    func sameFormat() throws {
        let picture = picture
        let one = SinkRequest(format: .nv12)
        let plan = try plan([(picture, one), (picture, one)])
        #expect(plan.outputs.count == 1)
        #expect(plan.outputs.first?.sinks.count == 2)
        #expect(plan.passes.count == 2)
        #expect(plan.cost.bytesReadBack == 320 * 180 * 3 / 2)
    }

    @Test(
        "sinks of different formats or sizes share the uploads",
        arguments: [
            SinkRequest(format: .rgba), SinkRequest(format: .nv12, size: PixelSize(640, 360)),
        ])
    func otherRequests(second: SinkRequest) throws {
        let picture = Compositor { Layer(back --> Gamma(2)) }
        let plan = try plan([(picture, SinkRequest(format: .nv12)), (picture, second)])
        #expect(plan.outputs.count == 2)
        #expect(Set(plan.uploads.map(\.plane)).count == plan.uploads.count)
        #expect(plan.outputs[1].layout.size == second.size ?? .hd720)
        #expect(plan.outputs[1].layout.format == second.format)
    }

    @Test("a source with an additional output of its own is uploaded at most once")
    func isolatedRecording() throws {
        let picture = Compositor { Layer(back --> Vignette(strength: 0.5)) }
        let plan = try plan([(picture, SinkRequest(format: .i420)), (back, SinkRequest(format: .nv12))])
        #expect(plan.uploads.count == 2)
        // The second output is the source's unchanged frame.
        #expect(plan.outputs[1].blits.count == 2)
        #expect(plan.outputs[1].readbacks.isEmpty)
    }

    @Test("a nested picture is drawn once, at its own size, however often it is shown")
    func nested() throws {
        let inner = Compositor(canvas: PixelSize(320, 180)) {
            Layer(back --> Gamma(2))
        }
        let outer = Compositor(canvas: .hd720) {
            Layer(front)
            Layer(inner).placed(x: 0, y: 0, width: 320)
            Layer(inner).placed(x: 640, y: 0, width: 320)
        }
        let plan = try plan([(outer, SinkRequest(format: .nv12))])
        #expect(plan.passes.filter { $0.label.contains("gamma") }.count == 2)
        #expect(plan.passes.filter { $0.label.contains("gamma") }.allSatisfy { $0.pixels == 320 * 180 })
    }

    @Test("effects of the whole picture are drawn after its layers, in one pass")
    func outputEffects() throws {
        let picture = picture
        let plan = try plan([(picture --> Brightness(0.1) --> Gamma(2), SinkRequest(format: .nv12))])
        let labels = plan.passes.map(\.label)
        #expect(labels.suffix(1).allSatisfy { $0.contains("brightness, gamma") }, "\(labels)")
        #expect(labels.dropLast(1).allSatisfy { !$0.contains("gamma") })
    }

    @Test(
        "all uploads, regions and read-backs of a plan are in range",
        arguments: [PixelSize.hd720, PixelSize(127, 71), PixelSize(1, 1)])
    func bounds(size: PixelSize) throws {
        let picture = Compositor {
            Layer(back --> GaussianBlur(radius: 2))
            Layer(front).placed(x: size.width / 2, y: -3, width: 64, height: 31).rounded(4).shadowed()
        }
        for format in SinkRequest.formats {
            let plan = try plan([(picture, SinkRequest(format: format))], size: size)
            for pass in plan.passes {
                for target in pass.targets {
                    let bounds = plan.textures[target].size.bounds
                    #expect(pass.regions.allSatisfy { bounds.contains($0) && !$0.isEmpty }, "\(pass.label)")
                }
                #expect(pass.regions.count <= 8)
            }
            for output in plan.outputs {
                for part in output.readbacks {
                    #expect(plan.textures[part.texture].size.bounds.contains(part.region))
                    let plane = output.layout.planes[part.plane]
                    let end =
                        part.offset + (part.region.height - 1) * plane.strideInBytes + part.region.width
                        * part.bytesPerTexel
                    #expect(end <= plane.strideInBytes * plane.dimensions.height)
                }
            }
        }
    }
}
