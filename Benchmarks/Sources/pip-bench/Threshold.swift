import Foundation

/// What a workload must keep, from `Thresholds/<workload>.json`.
struct Threshold: Codable, Sendable {
    /// The contender to which pip-compose is compared.
    var against: String
    /// The least that the contender's CPU time may be as a multiple of pip-compose's.
    var leastRatio: Double
    /// Why it is this number.
    var reason: String

    /// Whether a report keeps it.
    func verdict(on report: WorkloadReport) -> Verdict {
        guard let ratio = report.results.first(where: { $0.name == against })?.ratio?.median else { return .unknown }
        return ratio >= leastRatio ? .kept : .missed
    }
}

/// How a threshold was kept.
enum Verdict: String, Codable, Sendable {
    case kept
    case missed
    /// The program to compare with was not there.
    case unknown
}

/// The folder of thresholds.
struct ThresholdFolder: Sendable {
    var path: String

    /// The threshold of a workload; nil when it has none.
    func threshold(for workload: String) throws -> Threshold? {
        let file = "\(path)/\(workload).json"
        guard FileManager.default.fileExists(atPath: file) else { return nil }
        return try JSONDecoder().decode(Threshold.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
    }
}
