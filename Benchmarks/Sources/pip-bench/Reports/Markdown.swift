/// Formats a report as Markdown.
struct Markdown {
    var report: Report

    var text: String {
        var lines = heading
        for workload in report.workloads { lines += section(workload) }
        for scaling in report.scalings { lines += section(scaling) }
        if !report.verdicts.isEmpty { lines += targets }
        return lines.joined(separator: "\n") + "\n"
    }

    private var heading: [String] {
        let machine = report.machine
        return [
            "# pip-compose beside others", "",
            "\(machine.processor), \(machine.cores) cores, \(machine.memoryMebibytes) MiB; \(machine.system), Linux \(machine.kernel); "
                + "load \(Format.number(machine.load)) at the start. \(report.versions.joined(separator: "; ")).",
            "",
            "CPU time is of the whole process, user and system, all threads, by difference of a long and a short run. Each value is the median of "
                + "\(report.effort.turns) runs in turn, with the lowest and the highest. A ratio is the program's CPU time over pip-compose's in that format, "
                + "turn by turn: above 1, pip-compose costs less. \"Quiet\" is by the least disturbed runs. The floor is `memcpy` "
                + "of the bytes that must be read and written.",
        ]
    }

    private func section(_ workload: WorkloadReport) -> [String] {
        var lines = ["", "## \(workload.name): \(workload.title)", ""]
        if let reason = workload.unavailable { return lines + ["\(reason)."] }
        lines += [
            "| Program | CPU ms a frame | Wall ms | Ratio, NV12 | Ratio, I420 | Over the floor | Quiet ms | Peak MiB | Steady MiB |",
            "|---|---|---|---|---|---|---|---|---|",
        ]
        lines += workload.results.map { row($0, floor: workload.floorMilliseconds) }
        lines.append("")
        if let floor = workload.floorMilliseconds { lines.append("Floor: \(Format.number(floor)) ms.") }
        for (name, plan) in workload.plans.sorted(by: { $0.key < $1.key }) {
            lines.append(
                "\(name): \(plan.cost.passes) passes, \(plan.cost.pixelsShaded) pixels shaded, \(Format.mebibytes(plan.cost.bytesMoved)) MiB moved "
                    + "(\(Format.mebibytes(plan.cost.bytesBlitted)) copied, \(Format.mebibytes(plan.cost.bytesUploaded)) uploaded, "
                    + "\(Format.mebibytes(plan.cost.bytesReadBack)) read back); \(plan.renderer).")
        }
        if let start = workload.startUp {
            lines.append(
                "Start to first frame: \(Int(start.cold)) ms without compiled shaders on disk, \(Int(start.warm)) ms with them."
            )
        }
        lines += workload.absent.map { "\($0.name) takes no part: \($0.reason)." }
        return lines + [""] + commands(workload)
    }

    private func row(_ result: Result, floor: Double?) -> String {
        let median = result.cpuMilliseconds.median
        let cells = [
            result.name + (result.lacks.map { ", without \($0)" } ?? ""), Format.spread(result.cpuMilliseconds),
            Format.number(result.wallMilliseconds.median), result.ratios[Name.oursNV12].map(Format.spread) ?? "",
            result.ratios[Name.oursI420].map(Format.spread) ?? "", floor.map { Format.number(median / $0) } ?? "",
            Format.number(result.quietMilliseconds), result.peakMebibytes.map(Format.number) ?? "–",
            result.steadyMebibytes.map(Format.number) ?? "–",
        ]
        return "| \(cells.joined(separator: " | ")) |"
    }

    /// The commands that were run for a workload, in a collapsed section.
    private func commands(_ workload: WorkloadReport) -> [String] {
        ["<details><summary>Commands and ways tried</summary>", ""]
            + workload.results.flatMap { result in
                let trials = result.trials.map { "\($0.way) \(Format.number($0.cpuMilliseconds))" }
                return ["\(result.name): \(trials.joined(separator: "; ")).", "", "    \(oneLine(result.command))", ""]
            } + ["</details>"]
    }

    private func oneLine(_ command: String) -> String { command.replacing("\n", with: " ") }

    private func section(_ scaling: ScalingReport) -> [String] {
        var lines = ["", "## \(scaling.id): \(scaling.title)", "", "![\(scaling.title)](\(scaling.id).svg)", ""]
        lines += ["| | \(scaling.axis) | CPU ms a frame | From the straight line |", "|---|---|---|---|"]
        for series in scaling.series {
            lines += series.points.map { point in
                let deviation = series.line.map { $0.deviation(of: (point.x, point.cpuMilliseconds.median)) * 100 }
                return
                    "| \(series.name), \(point.label) | \(Format.number(point.x)) | \(Format.spread(point.cpuMilliseconds)) "
                    + "| \(deviation.map { "\(Format.number($0)) %" } ?? "") |"
            }
        }
        return lines
    }

    private var targets: [String] {
        ["", "## Targets", "", "| Workload | Target | Value | |", "|---|---|---|---|"]
            + report.verdicts.map { name, verdict in
                "| \(name) | \(verdict.target.title) | \(verdict.value.map(Format.number) ?? "–") | \(verdict.outcome.rawValue) |"
            }
    }
}
