public import PipEffects

/// A node's place in the graph.
public struct GraphNode: Sendable, Hashable {
    public let id: NodeID
    public let wiring: Wiring

    /// A new node in a wiring of its own.
    package init(_ record: Graph.Record) {
        id = NodeID()
        wiring = Wiring()
        wiring.edit { [id] (graph: inout Graph) throws(Never) in graph.set(record, for: id) }
    }

    public static func == (left: GraphNode, right: GraphNode) -> Bool { left.id == right.id }
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// Anything that frames come out of: a source, a filter or a compositor.
public protocol FrameProducer: Sendable {
    var node: GraphNode { get }
}

infix operator --> : AdditionPrecedence

/// Applies an effect to what comes out of a node.
public func --> <E: Effect>(producer: some FrameProducer, effect: E) -> Filter<E> { producer --> Filter(effect) }

/// Connects a filter's input.
///
/// A filter has one input; a second connection replaces the first.
@discardableResult
public func --> <E: Effect>(producer: some FrameProducer, filter: Filter<E>) -> Filter<E> {
    producer.node.wiring.join(filter.node.wiring)
    filter.node.wiring.edit { (graph: inout Graph) throws(Never) in
        guard case .filter(var record)? = graph[filter.node.id] else { return }
        record.input = producer.node.id
        graph.set(.filter(record), for: filter.node.id)
    }
    return filter
}

/// Sends what comes out of a node to a sink.
///
/// Any node may feed any number of sinks.
@discardableResult
public func --> <S: SinkSpecification>(producer: some FrameProducer, sink: S) -> S {
    producer.node.wiring.edit { (graph: inout Graph) throws(Never) in
        graph.set(.sink(sink, input: producer.node.id), for: NodeID())
    }
    return sink
}
