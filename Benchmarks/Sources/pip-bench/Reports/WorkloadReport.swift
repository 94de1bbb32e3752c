/// A contender's result in a workload.
struct Result: Codable, Sendable {
    /// A variant that was tried before the measurement, with its cost of a frame.
    struct Trial: Codable, Sendable {
        var way: String
        var cpuMilliseconds: Double
    }

    var name: String
    /// The part of the workload that it omitted.
    var lacks: String?
    /// The chosen variant.
    var way: String
    /// The command of the longer run.
    var command: String
    var lengths: RunLengths
    var cpuMilliseconds: Spread
    var wallMilliseconds: Spread
    var peakMebibytes: Double
    /// The contender's CPU time over that of pip-compose, turn by turn, keyed by pip-compose's contenders.
    ///
    /// Above 1, pip-compose costs less.
    ///
    /// Empty for pip-compose itself.
    var ratios: [String: Spread]
    /// The cost of a frame, from the least disturbed runs.
    var quietMilliseconds: Double
    var trials: [Trial]

    var isOurs: Bool { Name.ours.contains(name) }
}

/// The results of a workload.
struct WorkloadReport: Codable, Sendable {
    var id: String
    var title: String
    var size: FrameSize
    var results: [Result] = []
    /// Programs that took no part.
    var absent: [Absentee]
    /// The reason why the workload did not run; nil if it ran.
    var unavailable: String?
    /// The milliseconds of a `memcpy` of the bytes that must be read and written.
    var floorMilliseconds: Double?
    /// pip-compose's plans, by format.
    var plans: [String: PlanCosts] = [:]
    var startUp: StartUp?
    var verdicts: [Verdict] = []

    /// The workload with its size: `W1 720p`.
    var name: String { "\(id) \(size.name)" }

    /// A peer's CPU time over that of pip-compose, for pip-compose's worse format; nil for a peer without results.
    ///
    /// The peer is a name, or ``Target/best``.
    func ratio(against peer: String) -> Double? {
        let peers = results.filter { !$0.isOurs }
        let opponent =
            peer == Target.best
            ? peers.min { $0.cpuMilliseconds.median < $1.cpuMilliseconds.median }
            : peers.first { $0.name == peer }
        return opponent?.ratios.values.map(\.median).min()
    }
}
