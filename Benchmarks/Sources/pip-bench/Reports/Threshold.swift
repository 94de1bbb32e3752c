import Foundation

/// A figure that a workload must reach.
struct Target: Codable, Sendable, Equatable {
    enum Figure: String, Codable, Sendable {
        /// A peer's CPU time over pip-compose's.
        case ratio
        /// Milliseconds from the start to the first frame, with compiled shaders on disk.
        case start
        /// The relative deviation of a cost from the line through all.
        case deviation
        /// The highest cost over the lowest.
        case growth
    }

    /// The peer that costs least.
    static let best = "the best"

    var figure: Figure
    /// The peer of a ratio: its name, or ``best``.
    var against: String?
    var least: Double?
    var most: Double?

    /// The target's name in reports.
    var title: String {
        let name = against.map { "\(figure.rawValue) against \($0)" } ?? figure.rawValue
        let bounds = [least.map { "≥ \($0)" }, most.map { "≤ \($0)" }].compactMap { $0 }
        return "\(name) \(bounds.joined(separator: ", "))"
    }

    /// The verdict on a value; nil stands for one that could not be measured.
    func verdict(_ value: Double?) -> Verdict {
        guard let value else { return Verdict(target: self, value: nil, outcome: .unknown) }
        let isKept = value >= least ?? -.infinity && value <= most ?? .infinity
        return Verdict(target: self, value: value, outcome: isKept ? .kept : .missed)
    }
}

/// The outcome of a threshold.
struct Verdict: Codable, Sendable, Equatable {
    enum Outcome: String, Codable, Sendable {
        case kept
        case missed
        /// The peer of the comparison was not available.
        case unknown
    }

    var target: Target
    var value: Double?
    var outcome: Outcome
}

/// The thresholds of a workload, from `Thresholds/<workload>.json`.
struct Thresholds: Codable, Sendable {
    var targets: [Target]
    /// The reason for these numbers.
    var reason: String

    /// The thresholds of a workload; none where it has no file.
    static func load(_ workload: String, from folder: String) throws -> Thresholds {
        let file = "\(folder)/\(workload).json"
        guard FileManager.default.fileExists(atPath: file) else { return Thresholds(targets: [], reason: "") }
        return try JSONDecoder().decode(Thresholds.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
    }

    /// Verdicts on a workload's report.
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
