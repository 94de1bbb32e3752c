public import PipEffects
public import PipFrames

/// A node of the graph, shared by all of its handles.
///
/// The node stays in the graph as long as this object exists. A running session removes a node without handles, once
/// neither a sink nor a node with handles takes frames from the node, directly or through other nodes.
public final class GraphNode: Sendable, Hashable {
    /// Identifies the node in its graph.
    public let id: NodeID
    package let wiring: Wiring

    /// Creates a node in a wiring of its own.
    package init(_ record: Graph.Record) {
        id = NodeID()
        wiring = Wiring(id, record)
    }

    deinit { wiring.release(id) }

    public static func == (left: GraphNode, right: GraphNode) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A node that produces frames: a source, a filter, a blend or a compositor.
///
/// An app's own type conforms by returning the node of a producer that it holds. Such a type may stand for a whole
/// chain:
///
/// ```swift
/// struct NightVision: FrameProducer {
///     let node: GraphNode
///     init(_ camera: CameraSource) { node = (camera --> Grayscale() --> Gamma(0.6)).node }
/// }
/// ```
public protocol FrameProducer: Sendable {
    /// The graph node that produces the frames.
    var node: GraphNode { get }
}

infix operator --> : AdditionPrecedence

/// Applies an effect to the frames of a producer.
public func --> <E: Effect>(producer: some FrameProducer, effect: E) -> Filter<E> { producer --> Filter(effect) }

/// Applies an effect whose type is known only at run time to the frames of a producer.
public func --> (producer: some FrameProducer, effect: any Effect) -> any FrameProducer {
    func apply<E: Effect>(_ effect: E) -> any FrameProducer { producer --> effect }
    return apply(effect)
}

/// Connects a filter to a producer.
///
/// A filter has one input; a second connection replaces the first.
@discardableResult
public func --> <E: Effect>(producer: some FrameProducer, filter: Filter<E>) -> Filter<E> {
    producer.node.wiring.join(filter.node.wiring)
    filter.node.wiring.edit { (graph: inout Graph) throws(Never) in
        graph.connect(filter.node.id, to: producer.node.id)
    }
    return filter
}

/// Connects a sink to a producer.
///
/// - Returns: The ID of the sink's node.
@discardableResult
package func --> (producer: some FrameProducer, sink: some SinkSpecification) -> NodeID {
    let id = NodeID()
    producer.node.wiring.edit { (graph: inout Graph) throws(Never) in
        graph.set(.sink(SinkRecord(sink, input: producer.node.id)), for: id)
    }
    return id
}
