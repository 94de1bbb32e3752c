import PipCompose
import PipRig

extension RunReport {
    /// The summary that is printed at the end of a run; empty without statistics.
    var summary: String {
        guard let statistics else { return "" }
        let output = statistics.output
        let time = fixedNumber(statistics.elapsed.seconds, decimals: 1)
        var head =
            "\(counted(output.frames, "frame")) of \(output.size) in \(time) s: \(fixedNumber(output.framesPerSecond, decimals: 1)) fps"
        if output.missed > 0 { head += ", \(output.missed) missed" }
        if output.thinned > 0 { head += ", \(output.thinned) left out under pressure" }
        if let (shard, extent) = shard { head += "; shard \(shard), from frame \(extent.first) on" }
        var table = TextTable()
        for (index, source) in statistics.sources.enumerated() { table.add(row(of: source, role(index))) }
        for sink in statistics.sinks { table.add(row(of: sink)) }
        var lines = [head] + table.lines.map { "  \($0)" }
        lines += ["  \(timing(statistics))", "  \(cost(of: usage))"]
        if let drawing { lines.append("  \(drawing)") }
        return lines.joined(separator: "\n")
    }

    private func row(of source: SessionStatistics.Source, _ role: String) -> [String] {
        [
            role, source.name, "\(source.format) \(source.size)",
            "\(fixedNumber(source.framesPerSecond, decimals: 1)) fps", "\(source.used) used", drops(source.drops),
        ]
    }

    private func row(of sink: OutputStatistics) -> [String] {
        ["output", sink.name, "", "", "\(sink.written) written", drops(sink.drops)]
    }

    private func drops(_ counts: DropCounts) -> String {
        let parts = DropReason.allCases.filter { counts[$0] > 0 }.map { "\(counts[$0]) \($0.rawValue)" }
        return parts.isEmpty ? "none dropped" : "dropped: \(parts.joined(separator: ", "))"
    }

    private func timing(_ statistics: SessionStatistics) -> String {
        guard let latency = statistics.latency else { return "no cameras, so no latency" }
        var text = "latency \(milliseconds(latency.p50)), for 99 % below \(milliseconds(latency.p99))"
        if let skew = statistics.skew { text += "; cameras \(milliseconds(skew.p50)) apart" }
        return text
    }

    private func cost(of usage: ResourceUsage) -> String {
        let perFrame = cpuMillisecondsPerFrame.map { ", \(fixedNumber($0, decimals: 1)) ms a frame" } ?? ""
        return
            "CPU \(fixedNumber(usage.userSeconds, decimals: 1)) s user, \(fixedNumber(usage.systemSeconds, decimals: 1)) s system"
            + "\(perFrame); at most \(fixedNumber(usage.peakMebibytes, decimals: 0)) MiB of memory"
    }

    private var drawing: String? {
        guard let renderer else { return nil }
        guard let cost else { return "drawn by \(renderer)" }
        return "drawn by \(renderer): \(counted(cost.passes, "pass", plural: "passes")), \(cost.pixels) pixels, "
            + "\(cost.bytesUploaded / 1000) kB up and \(cost.bytesReadBack / 1000) kB back a frame"
    }

    private func milliseconds(_ duration: Duration) -> String {
        "\(fixedNumber(duration.milliseconds, decimals: 1)) ms"
    }
}
