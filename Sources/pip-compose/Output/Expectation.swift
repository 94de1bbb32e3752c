import PipCompose
import PipPressure
import PipRig

/// The predicted cost of a session, and the savings of each mitigation under pressure.
struct Expectation {
    private let cost: SessionCost
    private let policy: PressurePolicy
    private let savings: [Double]
    private let encoders: [OutputEncoder]

    init(_ session: Session, _ policy: PressurePolicy) async throws(SessionError) {
        self.policy = policy
        cost = try await session.predictedCost
        savings = try await session.predictedSavings(of: policy)
        encoders = await session.encoders()
    }

    /// For people.
    var text: String {
        let decoding = cost.decodeCost > 0 ? ", decoding \(percent(cost.decodeCost))" : ""
        var lines = encoders.map { "encoder of \($0.output): \($0)" }
        lines.append("expected: drawing \(percent(cost.renderCost))\(decoding) of all processors")
        guard !policy.steps.isEmpty else { return lines.joined(separator: "\n") }
        lines.append("under pressure, policy \(policy.name ?? "of a file"):")
        var table = TextTable()
        for (step, saving) in zip(policy.steps, savings) {
            let delay = step.delay > .zero ? "after \(shortNumber(step.delay.seconds)) s" : ""
            let saves = self.saving(of: step, saving).map { "saves \(percent($0))" } ?? "saves encoding"
            table.add(["  \(step.level)", "\(step.mitigation)", saves, delay])
        }
        lines += table.lines
        return lines.joined(separator: "\n")
    }

    /// For programs.
    var members: [JSON.Member] {
        [
            .init(
                key: "expected",
                value: .object([
                    "render_cost": .number(cost.renderCost, decimals: 4),
                    "decode_cost": .number(cost.decodeCost, decimals: 4),
                ])),
            .init(key: "encoders", value: .array(encoders.map(Self.encoder))),
            .init(
                key: "pressure_steps",
                value: .array(
                    zip(policy.steps, savings).map { step, saving in
                        .object([
                            "level": .string(step.level.name), "mitigation": .string(step.mitigation.description),
                            "after_seconds": .number(step.delay.seconds, decimals: 3),
                            "saves": self.saving(of: step, saving).map { .number($0, decimals: 4) } ?? .null,
                        ])
                    })),
        ]
    }

    /// What a step saves of drawing and decoding; nil for those that save encoding, whose share is not predicted.
    private func saving(of step: PressureStep, _ saving: Double) -> Double? {
        step.mitigation.isOfEncoding ? nil : saving
    }

    private static func encoder(_ encoder: OutputEncoder) -> JSON {
        .object([
            "output": .string(encoder.output), "encoder": .string(encoder.name),
            "size": .string(encoder.frames.size.description), "format": .string(encoder.frames.format.rawValue),
            "milliseconds_per_frame": encoder.timePerFrame.map { .number($0.seconds * 1e3, decimals: 3) } ?? .null,
            "refused": .array(
                encoder.refused.map { .object(["encoder": .string($0.name), "reason": .string($0.reason)]) }),
        ])
    }

    private func percent(_ share: Double) -> String { "\(shortNumber(share * 100, decimals: 1)) %" }
}
