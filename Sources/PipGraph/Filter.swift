public import PipEffects
package import PipFrames

/// A node that applies one effect.
///
/// A handle: copies are the same filter. Its parameters can be read and set at any time, from any task.
public final class Filter<E: Effect>: FrameProducer {
    public let node: GraphNode

    /// A filter that is not connected yet.
    public init(_ effect: E) { node = GraphNode(.filter(FilterRecord(effect))) }

    /// The effect with its present parameters.
    public var effect: E { record?.effect as? E ?? E() }

    /// Changes parameters, from the next frame on.
    ///
    /// - Parameter change: Changes the parameters; called again when another task has changed them meanwhile.
    /// - Throws: ``EffectError`` when a parameter is out of range; then nothing changes.
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

    /// True when the effect is kept while a machine under pressure leaves effects out.
    public var isEssential: Bool { record?.isEssential ?? false }

    /// Keeps the effect when a machine under pressure leaves effects out: what hides a face or a number plate must not
    /// go away.
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

    /// The time of the output in which the filter is drawn; nil draws it always.
    public var activePeriod: ActivePeriod? {
        get { record?.period }
        set { edit { $0.period = newValue } }
    }

    /// Draws the filter for a limited time, before and after which it costs nothing.
    ///
    /// ```swift
    /// Layer(back --> Grayscale().active(from: .seconds(5), to: .seconds(9), fade: .seconds(1)))
    /// ```
    ///
    /// - Parameters:
    ///   - start: The beginning, counted from the output's first frame.
    ///   - end: The end, counted likewise; nil never ends.
    ///   - fade: The duration of the fade in and of the fade out. Turns and crops come and go at once.
    /// - Returns: The filter itself.
    @discardableResult
    public func active(from start: Duration, to end: Duration? = nil, fade: Duration = .zero) -> Filter {
        activePeriod = ActivePeriod(from: start, to: end, fade: fade)
        return self
    }

    // MARK: Editing chains

    /// Puts the filter behind a node: the node's consumers take frames from the filter.
    ///
    /// A filter that is in a chain is taken out of it first. The next frame shows the whole change.
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

    /// Puts the filter between another one and that one's input.
    ///
    /// A filter that is in a chain is taken out of it first. The next frame shows the whole change.
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

    /// Takes the filter out of its chain: its consumers take frames from its input.
    ///
    /// The filter keeps its parameters and can be inserted again. Does nothing when it is in no chain.
    public func remove() {
        node.wiring.edit { (graph: inout Graph) throws(Never) in graph.detach(node.id) }
    }

    private var record: FilterRecord? {
        if case .filter(let record)? = node.wiring.graph[node.id] { record } else { nil }
    }

    /// Changes the record, which stays in the graph as long as the node has a handle.
    private func edit(_ change: (inout FilterRecord) -> Void) {
        node.wiring.edit { (graph: inout Graph) throws(Never) in
            guard case .filter(var record)? = graph[node.id] else { return }
            change(&record)
            graph.set(.filter(record), for: node.id)
        }
    }
}

extension Effect {
    /// A filter with this effect that is kept while a machine under pressure leaves effects out.
    public func essential() -> Filter<Self> { Filter(self).essential() }

    /// A filter with this effect that is drawn for a limited time; see ``Filter/active(from:to:fade:)``.
    public func active(from start: Duration, to end: Duration? = nil, fade: Duration = .zero) -> Filter<Self> {
        Filter(self).active(from: start, to: end, fade: fade)
    }
}

/// The properties of a filter in the graph.
package struct FilterRecord: Sendable {
    /// The effect with its parameters.
    package var effect: any Effect { didSet { revision = Revision() } }
    /// The node whose frames it takes; nil while it is not connected.
    package var input: NodeID?
    /// True when the filter is kept while a machine under pressure leaves effects out.
    package var isEssential = false
    /// True when the filter is not drawn.
    package var isMuted = false
    /// The time of the output in which the filter is drawn; nil draws it always.
    package var period: ActivePeriod?
    /// A new identity for each change of the effect.
    private(set) var revision = Revision()

    /// A filter with an effect; an input of nil is not connected yet.
    package init(_ effect: any Effect, input: NodeID? = nil) {
        self.effect = effect
        self.input = input
    }
}

/// The identity of one state of a value that cannot be compared: equal only to itself and its copies.
struct Revision: Equatable, Sendable {
    private let token = NodeID()
}
