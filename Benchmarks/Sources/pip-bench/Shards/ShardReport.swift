import Foundation

/// Formats a measurement of compositions in parts as Markdown, with the model's predictions.
struct ShardReport {
    var measurement: ShardMeasurement

    /// The shared disks of the predictions, which are as fast as networks with 1 and 10 Gbit/s.
    static let disks: [(name: String, bytesPerSecond: Double)] = [("1 Gbit/s", 110e6), ("10 Gbit/s", 1.1e9)]
    static let parts = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000]

    var text: String {
        (heading + runs + checks + costs + comparison + Self.disks.flatMap(archive)).joined(separator: "\n") + "\n"
    }

    /// Reads the measurement that was stored in a folder.
    init(storedIn folder: String) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/shards.json"))
        measurement = try JSONDecoder().decode(ShardMeasurement.self, from: data)
    }

    init(measurement: ShardMeasurement) { self.measurement = measurement }

    /// Writes the report into a folder, as Markdown and JSON.
    func store(in folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(measurement).write(to: URL(fileURLWithPath: "\(folder)/shards.json"))
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/shards.md"))
    }

    private var heading: [String] {
        let machine = measurement.machine
        return [
            "# An archive in parts", "",
            "\(machine.processor), \(machine.cores) cores, \(machine.memoryMebibytes) MiB; \(machine.system), Linux \(machine.kernel); "
                + "load \(Format.number(machine.load)) at the start. \(measurement.versions.joined(separator: "; ")).",
            "",
            "Two sources of \(measurement.frames / 30) s, 1280×720 at 30 frames a second, H.264 in MP4 with a key frame every 2 s; an inset; H.264 in MP4. "
                + "Each value is the median of \(measurement.turns) runs in turn, with the lowest and the highest. CPU time is of all processes of a run, "
                + "user and system; bytes are those of system calls, with the program's own start; all files are in the page cache.",
        ]
    }

    private var runs: [String] {
        ["", "| | CPU s | wall s | MB read | MB written |", "|---|---|---|---|---|"]
            + measurement.runs.map { run in
                "| \(run.run.title) | \(Format.spread(run.cpuSeconds)) | \(Format.spread(run.wallSeconds)) "
                    + "| \(Format.number(run.readBytes / 1e6)) | \(Format.number(run.writtenBytes / 1e6)) |"
            }
    }

    private var checks: [String] {
        ["", "Decoded frames, compared to the bit (`ffmpeg -f framemd5`):", ""]
            + measurement.checks.map { "- \($0.title): \($0.frames) frames, \($0.isEqual ? "equal" : "**not equal**")" }
    }

    private var costs: [String] {
        guard let short = measurement.costs(isLong: false), let long = measurement.costs(isLong: true) else {
            return []
        }
        func row(_ title: String, _ value: (ShardCosts) -> Double, _ unit: String) -> String {
            "| \(title) | \(Format.number(value(short))) \(unit) | \(Format.number(value(long))) \(unit) |"
        }
        return [
            "", "## The costs in the model", "",
            "CPU times of parts on one core: the time of a machine of one core that does nothing else. A frame's cost is that of the part of ten seconds without its first frame; "
                + "the costs of `join` are differences between the three runs with small and long files.",
            "", "| | files of \(measurement.frames / 30) s | of two hours |", "|---|---|---|",
            row("start of a part", { $0.startSeconds * 1e3 }, "ms"),
            row("additional start of a part that begins later, on average", { $0.seekSeconds * 1e3 }, "ms"),
            row("a frame", { $0.secondsPerFrame * 1e3 }, "ms"),
            row("read at a part's start", { $0.readBytesPerPart / 1e6 }, "MB"),
            row("read for a frame", { $0.readBytesPerFrame / 1e3 }, "kB"),
            row("written for a frame", { $0.writtenBytesPerFrame / 1e3 }, "kB"),
            row("`join` of a part", { $0.joinSecondsPerPart * 1e3 }, "ms"),
            row("`join` of a megabyte", { $0.joinSecondsPerByte * 1e9 }, "ms"),
            row("`join` reads and writes, over the size of its file", \.joinBytesPerByte, ""),
        ]
    }

    private var comparison: [String] {
        let all = measurement.comparisons
        guard let whole = all.first else { return [] }
        return [
            "", "## The model and the measurements", "",
            "CPU time is the sum of that of the longest part and that of `join`; the speed-up is the time in one go divided by this sum. Wall time "
                + "is that of the least disturbed turns. The disk's time is not included.",
            "",
            "| | CPU s | speed-up | model s | speed-up | model over CPU | least wall s | speed-up |",
            "|---|---|---|---|---|---|---|---|",
        ]
            + all.map { row in
                "| \(row.parts == 0 ? "in one go" : "\(row.parts) and `join`") | \(Format.number(row.cpuSeconds)) "
                    + "| \(Format.number(whole.cpuSeconds / row.cpuSeconds)) | \(Format.number(row.predictedSeconds)) "
                    + "| \(Format.number(whole.predictedSeconds / row.predictedSeconds)) "
                    + "| \(Format.number(row.predictedSeconds / row.cpuSeconds)) | \(Format.number(row.wallSeconds)) "
                    + "| \(Format.number(whole.wallSeconds / row.wallSeconds)) |"
            }
    }

    /// The predictions for compositions of two hours on a disk.
    private func archive(_ name: String, _ bytesPerSecond: Double) -> [String] {
        guard let model = measurement.archiveModel(diskBytesPerSecond: bytesPerSecond) else { return [] }
        let best = model.fastest(upTo: ShardCommands.longParts)
        let half = model.most(upTo: ShardCommands.longParts, efficiency: 0.5)
        let rows = (Self.parts + [best.parts]).sorted().map { model.row(parts: $0) }
        return [
            "",
            "## Two hours on N machines of one core, which share \(name) (\(Format.number(bytesPerSecond / 1e6)) MB/s)",
            "",
            "Seconds, by the model; in one go: \(Format.number(model.wholeSeconds)) s. Fastest with \(best.parts) parts"
                + (half.map { "; up to \($0.parts) parts, each machine is at least half as fast as one alone." } ?? "."),
            "", "| N | start | seek | frames | disk | `join` | all | speed-up |", "|---|---|---|---|---|---|---|---|",
        ]
            + rows.map { row in
                let stages = row.stages
                let times = [stages.start, stages.seek, stages.frames, stages.disk, stages.join, stages.total]
                return "| \(row.parts)\(row.parts == best.parts ? ", fastest" : "") | "
                    + times.map(Format.number).joined(separator: " | ") + " | \(Format.number(row.speedUp)) |"
            }
    }
}
