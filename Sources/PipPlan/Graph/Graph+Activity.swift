internal import PipEffects
internal import PipFrames
internal import PipGraph

extension Graph {
    /// The graph as it is drawn at a time of the output.
    ///
    /// Muted and inactive filters are left out. A filter that fades in or out is mixed with its input, by a share that
    /// follows the time.
    ///
    /// - Parameter time: The output's time; nil to include every filter that is not muted.
    /// - Returns: The graph, and the time at which it must be made anew; nil when it never changes.
    func drawn(at time: Duration?) -> (graph: Graph, until: Duration?) {
        var result = self
        var until: Duration?
        for id in order {
            guard case .filter(var filter)? = result[id] else { continue }
            if filter.isMuted {
                result.bypass(id)
            } else if let period = filter.period, let time {
                // An effect that changes the framing cannot fade: the effect appears and disappears with a new plan.
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
        /// The output's time at which the phase ends; nil when it never ends.
        var until: Duration?
    }

    /// The lead with which a plan mixes an effect with its input before a fade begins, because making a plan takes a
    /// while.
    ///
    /// Before its start, the effect is drawn at a share of 0; before the fade out, at a share of 1.
    private static let lead = Duration.milliseconds(500)

    fileprivate func phase(at time: Duration) -> Phase {
        if let end, time >= end { return Phase(kind: .absent, until: nil) }
        if time < start - Self.lead { return Phase(kind: .absent, until: start - Self.lead) }
        // A finished fade-out draws nothing, so the plan without the effect may come late.
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

/// An effect that is mixed with its input by a share that follows an active period.
private struct PartialEffect: Effect {
    static let name = "part"
    static let summary = "a share of an effect"
    static var parameters: [EffectParameter<PartialEffect>] { [] }

    var effect: any Effect = Unchanged()
    var period = ActivePeriod()

    /// The title of the effect that fades.
    var title: String { effect.title }

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

private struct Unchanged: Effect {
    static let name = "unchanged"
    static let summary = "changes nothing"
    static var parameters: [EffectParameter<Unchanged>] { [] }

    func operation(in context: EffectContext) -> EffectOperation { .none }
}
