public import PipEffects

/// Editing chains while they are drawn: each call is one change, which the next frames show as a whole.
extension Filter {
    /// Puts the filter behind a node: what took frames from the node takes them from the filter.
    ///
    /// A filter that is in a chain is taken out of it first.
    public func insert(after producer: some FrameProducer) {
        let (id, other) = (node.id, producer.node.id)
        guard id != other else { return }
        producer.node.wiring.join(node.wiring)
        node.wiring.edit { (graph: inout Graph) throws(Never) in
            graph.detach(id)
            graph.redirect(other, to: id, except: id)
            graph.connect(id, to: other)
        }
    }

    /// Puts the filter between another one and what that takes frames from.
    ///
    /// A filter that is in a chain is taken out of it first.
    public func insert<Other: Effect>(before filter: Filter<Other>) {
        let (id, other) = (node.id, filter.node.id)
        guard id != other else { return }
        filter.node.wiring.join(node.wiring)
        node.wiring.edit { (graph: inout Graph) throws(Never) in
            graph.detach(id)
            if let input = graph.inputs(of: other).first { graph.connect(id, to: input) }
            graph.connect(other, to: id)
        }
    }

    /// Takes the filter out of its chain: what took frames from it takes them from where it did.
    ///
    /// It keeps its parameters and can be inserted again, anywhere.
    public func remove() {
        node.wiring.edit { (graph: inout Graph) throws(Never) in graph.detach(node.id) }
    }

    /// Whether the filter is left out of what is drawn, in its place, until it is set back.
    ///
    /// It costs nothing meanwhile; what it remembers of earlier frames is lost.
    public var isMuted: Bool {
        get { record?.isMuted ?? false }
        nonmutating set {
            edit { (record: inout FilterRecord) throws(Never) in record.isMuted = newValue }
        }
    }

    /// When the filter is drawn, in the time of the output; nil always.
    public var activePeriod: ActivePeriod? {
        get { record?.period }
        nonmutating set {
            edit { (record: inout FilterRecord) throws(Never) in record.period = newValue }
        }
    }

    /// Draws the filter for a time only, counted from the output's first frame; it costs nothing before and after.
    ///
    /// ```swift
    /// Layer(back --> Grayscale().active(from: .seconds(5), to: .seconds(9), fade: .seconds(1)))
    /// ```
    ///
    /// `to`: Nil never ends. `fade`: How long it takes to come, and to go; what turns or crops the picture does so at once.
    @discardableResult
    public func active(from start: Duration, to end: Duration? = nil, fade: Duration = .zero) -> Filter {
        activePeriod = ActivePeriod(from: start, to: end, fade: fade)
        return self
    }
}

extension Effect {
    /// A filter with this effect that is drawn for a time only.
    public func active(from start: Duration, to end: Duration? = nil, fade: Duration = .zero) -> Filter<Self> {
        Filter(self).active(from: start, to: end, fade: fade)
    }
}

extension Graph {
    /// Takes a filter out of its chain, but keeps it.
    fileprivate mutating func detach(_ id: NodeID) {
        guard case .filter(var filter)? = self[id], let input = filter.input else { return }
        filter.input = nil
        set(.filter(filter), for: id)
        redirect(id, to: input)
    }

    fileprivate mutating func connect(_ id: NodeID, to input: NodeID) {
        guard case .filter(var filter)? = self[id] else { return }
        filter.input = input
        set(.filter(filter), for: id)
    }
}
