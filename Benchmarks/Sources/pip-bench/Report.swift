import Foundation

/// Everything that a run of the benchmark found.
struct Report: Codable, Sendable {
    var machine: Machine
    var effort: Bench.Effort
    var inputs: String
    var workloads: [WorkloadReport]

    /// Whether no threshold was missed.
    var keepsThresholds: Bool { workloads.allSatisfy { $0.verdict == nil || $0.verdict == .kept } }

    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    var markdown: String {
        var lines = [
            "# pip-compose beside others", "",
            "\(machine.processor), \(machine.cores) cores, \(machine.memoryMebibytes) MiB; \(machine.system), "
                + "Linux \(machine.kernel); load \(Self.number(machine.load)) at the start.",
            "",
            "Inputs: \(inputs). CPU time is of the whole process, user and system, all threads, by difference of a long and a short run. Each "
                + "value is the median of \(effort.pairs) runs in turn, with the lowest and the highest. \"Ratio\" is the program's CPU time over "
                + "pip-compose's, pair by pair: above 1, pip-compose costs less. \"Quiet\" is by "
                + "the least disturbed long and short runs, for a machine that is busy with other things.",
        ]
        for workload in workloads { lines += section(workload) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func section(_ workload: WorkloadReport) -> [String] {
        var lines = [
            "", "## \(workload.id): \(workload.title)", "",
            "| Program | Way | CPU ms a frame | Wall ms a frame | Ratio | Quiet CPU ms | Quiet ratio | Peak MiB |",
            "|---|---|---|---|---|---|---|---|",
        ]
        lines += workload.results.map { result in
            "| \(result.name) | \(result.way) | \(Self.text(result.cpuMilliseconds)) | \(Self.text(result.wallMilliseconds)) "
                + "| \(result.ratio.map(Self.text) ?? "") | \(Self.number(result.quietMilliseconds)) | \(result.quietRatio.map(Self.number) ?? "") | \(Int(result.peakMebibytes)) |"
        }
        lines.append("")
        if let plan = workload.plan {
            lines.append(
                "Plan: \(plan.cost.passes) passes, \(plan.cost.pixelsShaded) pixels shaded; bytes: \(plan.cost.bytesCopied) copied, "
                    + "\(plan.cost.bytesUploaded) uploaded, \(plan.cost.bytesReadBack) read back. Renderer: \(plan.renderer)."
            )
        }
        if let threshold = workload.threshold, let verdict = workload.verdict {
            lines.append(
                "Threshold: ratio against \(threshold.against) at least \(threshold.leastRatio): \(verdict.rawValue).")
        }
        lines += workload.missing.map { "Not measured: \($0)." }
        for result in workload.results {
            lines += [
                "", "\(result.name), \(result.version); ways tried: \(Self.text(result.trials)).", "",
                "    \(result.command)",
            ]
        }
        return lines
    }

    private static func text(_ spread: Spread) -> String {
        "**\(number(spread.median))** (\(number(spread.lowest)) – \(number(spread.highest)))"
    }

    private static func text(_ trials: [Result.Trial]) -> String {
        trials.map { "\($0.way) \(number($0.cpuMilliseconds))" }.joined(separator: "; ")
    }

    private static func number(_ value: Double) -> String { String(format: value < 10 ? "%.2f" : "%.1f", value) }
}
