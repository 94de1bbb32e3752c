import PipCompose
import PipRig

extension SessionStatistics.Pressure {
    /// The object `pressure` in the document of `--stats`.
    var document: JSON {
        .object([
            "level": state.level.name, "known": state.isKnown, "factors": levels(state.factors),
            "events": events.map(\.document),
        ])
    }
}

extension PressureEvent {
    /// The event as JSON, for the statistics file and for JSON messages.
    var document: JSON {
        .object([
            "time": JSON.number(time.seconds, decimals: 3), "level": level.name, "previous_level": previousLevel.name,
            "factors": levels(factors), "readings": readings.map(\.description), "taken": taken.map(\.description),
            "restored": restored.map(\.description), "fps_before": JSON.number(rateBefore.framesPerSecond, decimals: 3),
            "fps_after": JSON.number(rateAfter.framesPerSecond, decimals: 3),
        ])
    }
}

private func levels(_ factors: [PressureFactor: PressureLevel]) -> JSON {
    .object(
        PressureFactor.allCases.compactMap { factor in
            factors[factor].map { JSON.Member(factor.rawValue, $0.name) }
        })
}
