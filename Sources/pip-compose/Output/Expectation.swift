import PipCompose

/// The predicted cost of a session, and the savings of each mitigation under pressure.
struct Expectation {
    private let cost: SessionCost
    private let policy: PressurePolicy
    private let savings: [Double]

    init(_ session: Session, _ policy: PressurePolicy) async throws(SessionError) {
        self.policy = policy
        cost = try await session.predictedCost
        savings = try await session.predictedSavings(of: policy)
    }

    /// For people.
    var text: String {
        let decoding = cost.decodeCost > 0 ? ", decoding \(percent(cost.decodeCost))" : ""
        var lines = ["expected: drawing \(percent(cost.renderCost))\(decoding) of all processors"]
        guard !policy.steps.isEmpty else { return lines[0] }
        lines.append("under pressure, policy \(policy.name ?? "of a file"):")
        var table = TextTable()
        for (step, saving) in zip(policy.steps, savings) {
            let delay = step.delay > .zero ? "after \(shortNumber(step.delay.seconds)) s" : ""
            table.add(["  \(step.level)", "\(step.mitigation)", "saves \(percent(saving))", delay])
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
            .init(
                key: "pressure_steps",
                value: .array(
                    zip(policy.steps, savings).map { step, saving in
                        .object([
                            "level": .string(step.level.name), "mitigation": .string(step.mitigation.description),
                            "after_seconds": .number(step.delay.seconds, decimals: 3),
                            "saves": .number(saving, decimals: 4),
                        ])
                    })),
        ]
    }

    private func percent(_ share: Double) -> String { "\(shortNumber(share * 100, decimals: 1)) %" }
}
