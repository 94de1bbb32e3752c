import PipCompose
import PipPressure
import PipRig

/// The predicted cost of a session, and the predicted saving of each step of the pressure policy.
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

    /// The prediction as the text that `explain` prints.
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

    /// Adds the prediction to the JSON document of a plan.
    func add(to document: inout JSON) {
        document.add(
            "expected",
            JSON.object([
                "render_cost": JSON.number(cost.renderCost, decimals: 4),
                "decode_cost": JSON.number(cost.decodeCost, decimals: 4),
            ]))
        document.add("encoders", encoders.map(Self.encoder))
        document.add(
            "pressure_steps",
            zip(policy.steps, savings).map { step, saving in
                JSON.object([
                    "level": step.level.name, "mitigation": step.mitigation.description,
                    "after_seconds": JSON.number(step.delay.seconds, decimals: 3),
                    "saves": self.saving(of: step, saving).map { JSON.number($0, decimals: 4) },
                ])
            })
    }

    /// The predicted saving in drawing and decoding.
    ///
    /// Nil for a step that saves encoding, whose cost is not predicted.
    private func saving(of step: PressureStep, _ saving: Double) -> Double? {
        step.mitigation.isOfEncoding ? nil : saving
    }

    private static func encoder(_ encoder: OutputEncoder) -> JSON {
        .object([
            "output": encoder.output, "encoder": encoder.name, "size": encoder.frames.size.description,
            "format": encoder.frames.format.rawValue,
            "milliseconds_per_frame": encoder.timePerFrame.map { JSON.number($0.seconds * 1e3, decimals: 3) },
            "refused": JSON.array(
                encoder.refused.map { .object(["encoder": $0.name, "reason": $0.reason]) }),
        ])
    }

    private func percent(_ share: Double) -> String { "\(shortNumber(share * 100, decimals: 1)) %" }
}
