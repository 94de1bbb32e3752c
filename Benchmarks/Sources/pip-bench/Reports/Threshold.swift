import Foundation

/// The bounds within which a figure of a workload must lie.
struct Target: Codable, Sendable, Equatable {
    enum Figure: String, Codable, Sendable {
        /// The ratio of a peer's CPU time to pip-compose's CPU time.
        case ratio
        /// The time from the start to the first frame in milliseconds, with compiled shaders on disk.
        case start
        /// The largest relative deviation of a cost from the line fitted to all costs.
        case deviation
        /// The ratio of the highest cost to the first cost.
        case growth
    }

    /// The name that stands for the cheapest peer.
    static let best = "the best"

    var figure: Figure
    /// The peer for a ratio, by name or as ``best``; nil for other figures.
    var against: String?
    var least: Double?
    var most: Double?

    /// The target's name in reports.
    var title: String {
        let name = against.map { "\(figure.rawValue) against \($0)" } ?? figure.rawValue
        let bounds = [least.map { "≥ \($0)" }, most.map { "≤ \($0)" }].compactMap { $0 }
        return "\(name) \(bounds.joined(separator: ", "))"
    }

    /// Judges a value; nil stands for a value that could not be measured.
    func verdict(_ value: Double?) -> Verdict {
        guard let value else { return Verdict(target: self, value: nil, outcome: .unknown) }
        let isKept = value >= least ?? -.infinity && value <= most ?? .infinity
        return Verdict(target: self, value: value, outcome: isKept ? .kept : .missed)
    }
}

/// The result of comparing a figure with its threshold.
struct Verdict: Codable, Sendable, Equatable {
    enum Outcome: String, Codable, Sendable {
        case kept
        case missed
        /// The figure could not be measured, such as when the peer is not installed.
        case unknown
    }

    var target: Target
    var value: Double?
    var outcome: Outcome
}

/// The thresholds of a workload, from `Thresholds/<workload>.json`.
struct Thresholds: Codable, Sendable {
    var targets: [Target]
    /// The reason for choosing these bounds.
    var reason: String

    /// Loads the thresholds of a workload; no targets if the workload has no file.
    static func load(_ workload: String, from folder: String) throws -> Thresholds {
        let file = "\(folder)/\(workload).json"
        guard FileManager.default.fileExists(atPath: file) else { return Thresholds(targets: [], reason: "") }
        return try JSONDecoder().decode(Thresholds.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
    }

    /// Compares a workload's report with each threshold.
    func verdicts(on report: WorkloadReport) -> [Verdict] {
        targets.map { target in
            switch target.figure {
            case .ratio: target.verdict(target.against.flatMap { report.ratio(against: $0) })
            case .start: target.verdict(report.startUp?.warm)
            case .deviation, .growth: target.verdict(nil)
            }
        }
    }
}
