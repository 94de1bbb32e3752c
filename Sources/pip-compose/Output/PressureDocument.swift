import PipCompose
import PipRig

extension SessionStatistics.Pressure {
    /// The member `pressure` of the document of `--stats`.
    var document: JSON {
        .object([
            "level": .string(state.level.name), "known": .bool(state.isKnown),
            "factors": levels(state.factors), "events": .array(events.map(\.document)),
        ])
    }
}

extension PressureEvent {
    /// One change, as it is written into files and logs.
    var document: JSON {
        .object([
            "time": .number(time.seconds, decimals: 3), "level": .string(level.name),
            "previous_level": .string(previousLevel.name), "factors": levels(factors),
            "readings": .array(readings.map { .string($0.description) }),
            "taken": .array(taken.map { .string($0.description) }),
            "restored": .array(restored.map { .string($0.description) }),
            "fps_before": .number(rateBefore.framesPerSecond, decimals: 3),
            "fps_after": .number(rateAfter.framesPerSecond, decimals: 3),
        ])
    }
}

private func levels(_ factors: [PressureFactor: PressureLevel]) -> JSON {
    .object(
        PressureFactor.allCases.compactMap { factor in
            factors[factor].map { JSON.Member(key: factor.rawValue, value: .string($0.name)) }
        })
}
