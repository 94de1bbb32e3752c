/// Formats a report as a table for a terminal, with a row for each workload and a column for each program.
struct Table {
    var report: Report

    var text: String {
        let names = Name.ours + peers
        var rows = [["CPU ms a frame"] + names + ["floor"]]
        for workload in report.workloads {
            if let reason = workload.unavailable {
                rows.append([workload.name, reason])
                continue
            }
            rows.append(
                [workload.name] + names.map { cell(workload, $0) } + [
                    workload.floorMilliseconds.map(Format.number) ?? ""
                ])
        }
        var lines = report.workloads.isEmpty ? [] : aligned(rows)
        for scaling in report.scalings {
            for series in scaling.series {
                let points = series.points.map { "\($0.label): \(Format.number($0.cpuMilliseconds.median))" }
                lines.append("\(scaling.id) \(series.name)  \(points.joined(separator: "  "))")
            }
        }
        for (name, verdict) in report.verdicts where verdict.outcome != .kept {
            let value = verdict.value.map { ", is \(Format.number($0))" } ?? ""
            lines.append("\(verdict.outcome.rawValue): \(name) \(verdict.target.title)\(value)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The names of the peers with results, in order of appearance.
    private var peers: [String] {
        var names: [String] = []
        for result in report.workloads.flatMap(\.results) where !result.isOurs && !names.contains(result.name) {
            names.append(result.name)
        }
        return names
    }

    /// The cell of a contender: the median and, for a peer, the smallest of its ratios.
    ///
    /// A star marks a contender that omits a part of the workload.
    private func cell(_ workload: WorkloadReport, _ name: String) -> String {
        guard let result = workload.results.first(where: { $0.name == name }) else { return "–" }
        let ratio = result.ratios.values.map(\.median).min().map { " (\(Format.number($0))×)" } ?? ""
        return Format.number(result.cpuMilliseconds.median) + ratio + (result.lacks == nil ? "" : "*")
    }

    private func aligned(_ rows: [[String]]) -> [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.compactMap { $0.count > 2 && column < $0.count ? $0[column].count : nil }.max() ?? 0
        }
        return rows.map { row in
            zip(row, widths).map { $0 + String(repeating: " ", count: max($1 - $0.count, 0)) }.joined(separator: "  ")
        }
    }
}
