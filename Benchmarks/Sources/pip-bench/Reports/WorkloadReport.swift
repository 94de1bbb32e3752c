/// The result of a contender in a workload.
struct Result: Codable, Sendable {
    /// A variant that was tried before the measurement, with the cost of a frame.
    struct Trial: Codable, Sendable {
        var way: String
        var cpuMilliseconds: Double
    }

    var name: String
    /// The part of the workload that the contender omits; nil for none.
    var lacks: String?
    /// The name of the variant that was chosen.
    var way: String
    /// The command line of the longer run.
    var command: String
    var lengths: RunLengths
    var cpuMilliseconds: Spread
    var wallMilliseconds: Spread
    /// The largest memory that the process occupied alone, and that of most of the run: medians of the runs, nil for
    /// commands that are several programs.
    var peakMebibytes: Double?
    var steadyMebibytes: Double?
    /// The ratio of the contender's CPU time to pip-compose's in the same round, keyed by pip-compose's contenders.
    ///
    /// Above 1, pip-compose is cheaper. Empty for pip-compose itself.
    var ratios: [String: Spread]
    /// The cost of a frame in CPU milliseconds, from the least disturbed runs.
    var quietMilliseconds: Double
    var trials: [Trial]

    var isOurs: Bool { Name.ours.contains(name) }
}

/// The results of a workload for all contenders.
struct WorkloadReport: Codable, Sendable {
    var id: String
    var title: String
    var size: FrameSize
    var results: [Result] = []
    /// The programs that took no part, with reasons.
    var absent: [Absentee]
    /// The reason for which the workload was not run; nil if it was run.
    var unavailable: String?
    /// The CPU time in milliseconds in which `memcpy` moves the bytes that a frame must read and write; nil if not
    /// measured.
    var floorMilliseconds: Double?
    /// pip-compose's plans, keyed by the name of the contender.
    var plans: [String: PlanCosts] = [:]
    var startUp: StartUp?
    var verdicts: [Verdict] = []

    /// The workload's name and size: `W1 720p`.
    var name: String { "\(id) \(size.name)" }

    /// The ratio of a peer's CPU time to that of pip-compose's slower pixel format; nil for a peer without results.
    ///
    /// The peer is given by name, or as ``Target/best``.
    func ratio(against peer: String) -> Double? {
        let opponent =
            peer == Target.best
            ? peers.min { $0.cpuMilliseconds.median < $1.cpuMilliseconds.median }
            : results.first { !$0.isOurs && $0.name == peer }
        return opponent?.ratios.values.map(\.median).min()
    }

    /// The results of other programs that perform the workload.
    private var peers: [Result] { results.filter { !$0.isOurs && $0.name != Name.apart } }
}
