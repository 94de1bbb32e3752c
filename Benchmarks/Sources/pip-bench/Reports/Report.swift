import Foundation

/// The results of one run of the benchmark.
struct Report: Codable, Sendable {
    var machine: Machine
    var effort: Effort
    /// The first line of each program's version.
    var versions: [String]
    var workloads: [WorkloadReport] = []
    var scalings: [ScalingReport] = []

    var verdicts: [(name: String, verdict: Verdict)] {
        workloads.flatMap { workload in workload.verdicts.map { (workload.name, $0) } }
            + scalings.flatMap { scaling in scaling.verdicts.map { (scaling.id, $0) } }
    }

    /// True when no threshold was missed.
    var keepsThresholds: Bool { verdicts.allSatisfy { $0.verdict.outcome != .missed } }

    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    /// Writes the report into a folder, as Markdown, JSON and plots.
    func store(in folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        func write(_ data: Data, _ name: String) throws {
            try data.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
        try write(json(), "results.json")
        try write(Data(Markdown(report: self).text.utf8), "results.md")
        for size in Set(workloads.map(\.size)) {
            let title = "CPU milliseconds a frame, sources and picture \(size.width)×\(size.height)"
            let bars = Plots.bars(workloads.filter { $0.size == size }, title: title)
            try write(Data(bars.utf8), "workloads-\(size.name).svg")
        }
        for scaling in scalings { try write(Data(Plots.lines(scaling).utf8), "\(scaling.id).svg") }
    }
}
