/// The pressure of a session, and its predicted cost.
extension Session {
    /// Overrides the sensors with a level, to try a policy out.
    ///
    /// Nil follows the sensors again.
    public func pinPressure(_ level: PressureLevel?) async { await controller.pin(level) }

    /// Follows another policy from now on.
    ///
    /// Mitigations that the new policy lacks are taken back at once. Its own are taken anew.
    public func setPressurePolicy(_ policy: PressurePolicy) async { await controller.use(policy) }

    /// The expected cost of the session as it is configured.
    ///
    /// - Throws: ``SessionError`` when the graph cannot be drawn any more.
    public var predictedCost: SessionCost {
        get async throws(SessionError) { try await controller.predictedCost(of: graph, under: PressureRelief()) }
    }

    /// The expected saving of each step of a policy, in the order in which they are taken; shares as in
    /// ``SessionCost``.
    ///
    /// - Throws: ``SessionError`` when the graph cannot be drawn any more.
    public func predictedSavings(of policy: PressurePolicy) async throws(SessionError) -> [Double] {
        var savings: [Double] = []
        var last = try await predictedCost.total
        for count in policy.steps.indices {
            let next = try await controller.predictedCost(of: graph, under: policy.relief(ofFirst: count + 1)).total
            savings.append(last - next)
            last = next
        }
        return savings
    }
}
