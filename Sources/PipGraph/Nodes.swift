public import PipShaders

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

/// A node that applies one effect.
///
/// Its parameters can be set at any time, from any task.
public struct Filter<E: Effect>: FrameProducer {
    public let node: GraphNode

    /// A filter that is not connected yet.
    public init(_ effect: E) { node = GraphNode(.filter(effect, input: nil)) }

    /// The effect with its present parameters.
    public var effect: E {
        guard case .filter(let effect, _)? = node.wiring.graph[node.id], let effect = effect as? E else { return E() }
        return effect
    }

    /// Changes parameters, from the next frame on.
    ///
    /// - Throws: ``EffectError`` when a parameter is out of range; then nothing changes.
    public func update(_ change: (inout E) -> Void) throws(EffectError) {
        try node.wiring.edit { (graph: inout Graph) throws(EffectError) in
            guard case .filter(let effect, let input)? = graph[node.id], var effect = effect as? E else { return }
            change(&effect)
            try effect.validate()
            graph.set(.filter(effect, input: input), for: node.id)
        }
    }
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
        guard case .filter(let effect, _)? = graph[filter.node.id] else { return }
        graph.set(.filter(effect, input: producer.node.id), for: filter.node.id)
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
