public import PipEffects

/// A node that applies one effect.
///
/// Its parameters can be set at any time, from any task.
public struct Filter<E: Effect>: FrameProducer {
    public let node: GraphNode

    /// A filter that is not connected yet.
    public init(_ effect: E) { node = GraphNode(.filter(FilterRecord(effect))) }

    /// The effect with its present parameters.
    public var effect: E { record?.effect as? E ?? E() }

    /// Changes parameters, from the next frame on.
    ///
    /// - Throws: ``EffectError`` when a parameter is out of range; then nothing changes.
    public func update(_ change: (inout E) -> Void) throws(EffectError) {
        try edit { (record: inout FilterRecord) throws(EffectError) in
            guard var effect = record.effect as? E else { return }
            change(&effect)
            try effect.validate()
            record.effect = effect
        }
    }

    /// Whether the effect stays when a machine under pressure leaves effects out.
    public var isEssential: Bool { record?.isEssential ?? false }

    /// Keeps the effect when a machine under pressure leaves effects out: what hides a face or a number plate must not go away.
    ///
    /// ```swift
    /// Layer(front --> Pixellate(0.05).essential())
    /// ```
    @discardableResult
    public func essential(_ isEssential: Bool = true) -> Filter {
        edit { (record: inout FilterRecord) throws(Never) in record.isEssential = isEssential }
        return self
    }

    var record: FilterRecord? {
        if case .filter(let record)? = node.wiring.graph[node.id] { record } else { nil }
    }

    func edit<Failure: Error>(
        _ change: (inout FilterRecord) throws(Failure) -> Void
    ) throws(Failure) {
        try node.wiring.edit { (graph: inout Graph) throws(Failure) in
            guard case .filter(var record)? = graph[node.id] else { return }
            try change(&record)
            graph.set(.filter(record), for: node.id)
        }
    }
}

extension Effect {
    /// A filter with this effect that stays when a machine under pressure leaves effects out.
    public func essential() -> Filter<Self> { Filter(self).essential() }
}

/// What a filter does, and to what.
public struct FilterRecord: Sendable {
    public var effect: any Effect
    /// The node that it takes frames from; nil while it is not connected.
    public var input: NodeID?
    /// Whether it stays when a machine under pressure leaves effects out.
    public var isEssential = false
    /// Whether it is left out of what is drawn.
    public var isMuted = false
    /// When it is drawn; nil always.
    public var period: ActivePeriod?

    public init(_ effect: any Effect, input: NodeID? = nil) {
        self.effect = effect
        self.input = input
    }
}
