import PipEffects
import PipFrames
import PipGraph
import PipPlan

struct NamedSource: SourceSpecification {
    var label: String
}

struct NamedSink: SinkSpecification {
    var label = "sink"
}

/// A source node without a camera.
struct TestSource: FrameProducer {
    let node: GraphNode

    init(_ label: String = "camera") { node = GraphNode(.source(NamedSource(label: label))) }
}

/// Plans the output of a node for one sink.
func plan(
    _ producer: some FrameProducer, _ sources: [(TestSource, PixelFormat, PixelSize)], to format: PixelFormat = .nv12,
    size: PixelSize? = nil, colorimetry: Colorimetry = .bt709, fuses: Bool = true,
    capabilities: PlanCapabilities = PlanCapabilities(), effectQuality: EffectQuality = .full
) throws -> RenderPlan {
    producer --> NamedSink()
    let graph = producer.node.wiring.graph
    var formats: [NodeID: SourceFormat] = [:]
    for (source, format, size) in sources {
        formats[source.node.id] = SourceFormat(layout: FrameLayout(format, size), colorimetry: colorimetry)
    }
    let request = SinkRequest(format: format, size: size)
    let sinks = Dictionary(uniqueKeysWithValues: graph.sinks.map { ($0, request) })
    return try Planner.plan(
        PlanInput(
            graph: graph, sources: formats, sinks: sinks, capabilities: capabilities, fuses: fuses,
            effectQuality: effectQuality))
}
