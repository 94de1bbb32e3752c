/// A contender's result in a workload.
struct Result: Codable, Sendable {
    /// A way that was tried before the measurement, and what a frame took.
    struct Trial: Codable, Sendable {
        var way: String
        var cpuMilliseconds: Double
    }

    var name: String
    /// The part of the workload that it omitted.
    var lacks: String?
    /// The way that took part.
    var way: String
    /// The command of the longer run.
    var command: String
    var lengths: RunLengths
    var cpuMilliseconds: Spread
    var wallMilliseconds: Spread
    var peakMebibytes: Double
    /// Its CPU time as a multiple of pip-compose's, turn by turn, for each of pip-compose's formats: above 1,
    /// pip-compose costs less.
    ///
    /// Empty for pip-compose itself.
    var ratios: [String: Spread]
    /// The cost of a frame by the least disturbed runs.
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
    /// The reason why it was not run; nil when it was.
    var unavailable: String?
    /// `memcpy` of the bytes that must be read and written.
    var floorMilliseconds: Double?
    /// pip-compose's plans, by format.
    var plans: [String: PlanCosts] = [:]
    var startUp: StartUp?
    var verdicts: [Verdict] = []

    /// The workload with its size: `W1 720p`.
    var name: String { "\(id) \(size.name)" }

    /// The peer's CPU time over pip-compose's, for the format in which pip-compose does worse; nil when it took no
    /// part.
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
