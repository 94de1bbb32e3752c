internal import PipEffects
internal import PipFrames
internal import PipGraph

extension Graph {
    /// The graph as it is drawn around a moment.
    ///
    /// Filters that are muted or inactive are left out. Filters that fade in or out are mixed in, by a share that
    /// changes from frame to frame.
    ///
    /// - Parameter time: The output's time. Nil takes every filter that is not muted.
    /// - Returns: The graph, and the time until which it is valid; nil for ever.
    func drawn(at time: Duration?) -> (graph: Graph, until: Duration?) {
        var result = self
        var until: Duration?
        for id in order {
            guard case .filter(var filter)? = result[id] else { continue }
            if filter.isMuted {
                result.bypass(id)
            } else if let period = filter.period, let time {
                // An effect that changes the framing cannot be mixed with its input. It comes and goes at once, as soon
                // as it is planned.
                let phase = filter.effect.traits.changesFraming ? period.wholePhase(at: time) : period.phase(at: time)
                until = [until, phase.until].compactMap(\.self).min()
                switch phase.kind {
                case .absent: result.bypass(id)
                case .whole: continue
                case .partial:
                    filter.effect = PartialEffect(effect: filter.effect, period: period)
                    result.set(.filter(filter), for: id)
                }
            }
        }
        return (result, until)
    }
}

extension ActivePeriod {
    fileprivate struct Phase {
        enum Kind { case absent, partial, whole }

        var kind: Kind
        /// The time at which the phase ends; nil never.
        var until: Duration?
    }

    /// The lead time with which an effect is drawn at a share of 0 before it shows, since planning takes a while.
    private static let lead = Duration.milliseconds(500)

    fileprivate func phase(at time: Duration) -> Phase {
        if let end, time >= end { return Phase(kind: .absent, until: nil) }
        if time < start - Self.lead { return Phase(kind: .absent, until: start - Self.lead) }
        // The effect fades out while the next plan is made, so the plan without it may come late.
        let goes = end.map { $0 - fade - Self.lead }
        if time < start + fade { return Phase(kind: .partial, until: [start + fade, end].compactMap(\.self).min()) }
        if let goes, time >= goes { return Phase(kind: .partial, until: end) }
        return Phase(kind: .whole, until: goes)
    }

    fileprivate func wholePhase(at time: Duration) -> Phase {
        if time < start { return Phase(kind: .absent, until: start) }
        if let end, time >= end { return Phase(kind: .absent, until: nil) }
        return Phase(kind: .whole, until: end)
    }
}

/// An effect that is mixed with its input by a share.
private struct PartialEffect: Effect {
    static let name = "part"
    static let summary = "a share of an effect"
    static var parameters: [EffectParameter<PartialEffect>] { [] }

    var effect: any Effect = Unchanged()
    var period = ActivePeriod()

    init() {}
    init(effect: any Effect, period: ActivePeriod) {
        self.effect = effect
        self.period = period
    }

    func operation(in context: EffectContext) -> EffectOperation {
        let operation = effect.operation(in: context)
        if operation == .none { return .none }
        return .combine(
            with: [operation], ShaderCall(LibraryShader.share, [Uniform("share", .share(period))]))
    }
}

/// An effect that changes nothing.
private struct Unchanged: Effect {
    static let name = "unchanged"
    static let summary = "changes nothing"
    static var parameters: [EffectParameter<Unchanged>] { [] }

    func operation(in context: EffectContext) -> EffectOperation { .none }
}
