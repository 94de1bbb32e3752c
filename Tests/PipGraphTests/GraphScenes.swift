import PipEffects
import PipFrames
import PipGraph

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

extension FrameProducer {
    var graph: Graph { node.wiring.graph }

    /// The composition of a compositor's node; nil for other nodes.
    var composition: Composition? {
        if case .compositor(let composition)? = graph[node.id] { composition } else { nil }
    }
}
