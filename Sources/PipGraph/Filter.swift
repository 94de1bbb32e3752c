public import PipEffects
package import PipFrames

/// A node that applies one effect.
///
/// A handle: all references to it stand for the same filter. Thread: any; parameters may be read and set at any time.
public final class Filter<E: Effect>: FrameProducer {
    public let node: GraphNode

    /// Creates a filter that is not connected yet.
    public init(_ effect: E) { node = GraphNode(.filter(FilterRecord(effect))) }

    /// The effect with its present parameters.
    public var effect: E { record?.effect as? E ?? E() }

    /// Changes the effect's parameters, from the next frame on.
    ///
    /// - Parameter change: Changes the parameters. The closure is called again if another task has changed the
    ///   parameters meanwhile.
    /// - Throws: ``EffectError`` when a parameter is out of range. Then nothing changes.
    public func update(_ change: (inout E) -> Void) throws(EffectError) {
        while let record, var effect = record.effect as? E {
            change(&effect)
            try effect.validate()
            var isSet = false
            edit { current in
                guard current.revision == record.revision else { return }
                current.effect = effect
                isSet = true
            }
            if isSet { return }
        }
    }

    /// True when the session must not leave the effect out under pressure.
    public var isEssential: Bool { record?.isEssential ?? false }

    /// Keeps the effect when pressure makes the session leave effects out.
    ///
    /// Use this method for effects that must not vanish, such as one that hides a face or a number plate. With
    /// `isEssential` false, the session may leave the effect out again.
    ///
    /// ```swift
    /// Layer(front --> Pixellate(0.05).essential())
    /// ```
    @discardableResult
    public func essential(_ isEssential: Bool = true) -> Filter {
        edit { $0.isEssential = isEssential }
        return self
    }

    /// True when the filter keeps its position in the chain but is not drawn.
    ///
    /// A muted filter costs nothing, and loses its memory of earlier frames.
    public var isMuted: Bool {
        get { record?.isMuted ?? false }
        set { edit { $0.isMuted = newValue } }
    }

    /// The period of the output time in which the filter is drawn; nil sets no limit.
    public var activePeriod: ActivePeriod? {
        get { record?.period }
        set { edit { $0.period = newValue } }
    }

    /// Draws the filter only during a period of the output time.
    ///
    /// The filter changes nothing outside the period, and costs nothing there, except in the half second before the
    /// start and for a moment after the end.
    ///
    /// ```swift
    /// Layer(back --> Grayscale().active(from: .seconds(5), to: .seconds(9), fade: .seconds(1)))
    /// ```
    ///
    /// - Parameters:
    ///   - start: The start of the period, counted from the output's first frame.
    ///   - end: The end of the period, counted from the output's first frame; nil never ends.
    ///   - fade: The duration of the fade in, and of the fade out. Rotations and crops do not fade.
    /// - Returns: The filter itself.
    @discardableResult
    public func active(from start: Duration, to end: Duration? = nil, fade: Duration = .zero) -> Filter {
        activePeriod = ActivePeriod(from: start, to: end, fade: fade)
        return self
    }

    // MARK: Editing chains

    /// Inserts the filter after a node, whose consumers then take their frames from the filter.
    ///
    /// A filter that is in a chain is first removed from that chain. Both changes show in the same frame.
    ///
    /// - Throws: ``GraphError`` when the node is this filter itself.
    public func insert(after producer: some FrameProducer) throws(GraphError) {
        let (id, other) = (node.id, producer.node.id)
        guard id != other else { throw .insertedAtItself(node: E.name) }
        producer.node.wiring.join(node.wiring)
        node.wiring.edit { (graph: inout Graph) throws(Never) in
            graph.detach(id)
            graph.redirect(other, to: id, except: id)
            graph.connect(id, to: other)
        }
    }

    /// Inserts the filter before another filter, which then takes its frames from this filter.
    ///
    /// This filter takes over the other filter's input, if there is one. A filter that is in a chain is first removed
    /// from that chain. Both changes show in the same frame.
    ///
    /// - Throws: ``GraphError`` when the other filter is this one itself.
    public func insert<Other: Effect>(before filter: Filter<Other>) throws(GraphError) {
        let (id, other) = (node.id, filter.node.id)
        guard id != other else { throw .insertedAtItself(node: E.name) }
        filter.node.wiring.join(node.wiring)
        node.wiring.edit { (graph: inout Graph) throws(Never) in
            graph.detach(id)
            if let input = graph.inputs(of: other).first { graph.connect(id, to: input) }
            graph.connect(other, to: id)
        }
    }

    /// Removes the filter from its chain: its consumers then take their frames from its input.
    ///
    /// The filter keeps its parameters, and can be inserted again. Does nothing when the filter has no input.
    public func remove() {
        node.wiring.edit { (graph: inout Graph) throws(Never) in graph.detach(node.id) }
    }

    private var record: FilterRecord? {
        if case .filter(let record)? = node.wiring.graph[node.id] { record } else { nil }
    }

    /// Changes the filter's record.
    ///
    /// The graph has the record as long as this handle exists.
    private func edit(_ change: (inout FilterRecord) -> Void) {
        node.wiring.edit { (graph: inout Graph) throws(Never) in
            guard case .filter(var record)? = graph[node.id] else { return }
            change(&record)
            graph.set(.filter(record), for: node.id)
        }
    }
}

extension Effect {
    /// Creates a filter with this effect that is drawn even when pressure makes the session leave effects out.
    public func essential() -> Filter<Self> { Filter(self).essential() }

    /// Creates a filter with this effect that is drawn for a limited period; see ``Filter/active(from:to:fade:)``.
    public func active(from start: Duration, to end: Duration? = nil, fade: Duration = .zero) -> Filter<Self> {
        Filter(self).active(from: start, to: end, fade: fade)
    }
}

/// The properties of a filter in the graph.
package struct FilterRecord: Sendable {
    /// The effect with its parameters; setting it changes ``revision``.
    package var effect: any Effect { didSet { revision = Revision() } }
    /// The node whose frames the filter takes; nil while the filter is not connected.
    package var input: NodeID?
    /// True when the session must not leave the effect out under pressure.
    package var isEssential = false
    /// True when the filter keeps its position in the graph, but is not drawn.
    package var isMuted = false
    /// The period of the output time in which the filter is drawn; nil sets no limit.
    package var period: ActivePeriod?
    /// The identity of the effect's present parameters; every change makes a new one.
    private(set) var revision = Revision()

    /// Creates the record of a filter; an input of nil leaves the filter unconnected.
    package init(_ effect: any Effect, input: NodeID? = nil) {
        self.effect = effect
        self.input = input
    }
}

/// The identity of a value that has no equality: equal only to itself and its copies.
struct Revision: Equatable, Sendable {
    private let token = NodeID()
}
