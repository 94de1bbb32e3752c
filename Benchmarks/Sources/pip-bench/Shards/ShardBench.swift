import Foundation

/// Measures compositions of the same files, as a whole and in parts, in alternation.
struct ShardBench {
    let commands: ShardCommands
    let turns: Int
    /// Receives a progress message for each step.
    let onProgress: (String) -> Void

    /// - Throws: ``CommandError`` for a program that fails, and Foundation's errors for files.
    func run() throws -> ShardMeasurement {
        try FileManager.default.createDirectory(atPath: commands.folder, withIntermediateDirectories: true)
        var measurement = ShardMeasurement(
            machine: .current(),
            versions: ["pip-compose " + Machine.version(of: commands.pipCompose), Machine.version(of: "ffmpeg")],
            turns: turns,
            frames: commands.frames, longFrames: commands.frames * commands.repeats)
        onProgress("making the sources")
        for command in commands.sources { try ChildProcess.measure(command) }
        var usages: [ShardRun: [[Usage]]] = [:]
        for turn in 1...turns {
            for run in ShardRun.allCases {
                if run == .longFirst, turn == 1 { try ChildProcess.measure(commands.longInset) }
                onProgress("turn \(turn) of \(turns): \(run.rawValue)")
                usages[run, default: []].append(try ChildProcess.measure(atOnce: commands.commands(run)))
            }
        }
        measurement.runs = ShardRun.allCases.compactMap { .init($0, turns: usages[$0] ?? []) }
        for name in ["main.mp4", "inset.mp4", "small.mp4", "whole.mp4", "joined-two.mp4", "long-main.mp4"] {
            measurement.sizes[name] = try size(name)
        }
        measurement.checks = try checks()
        for name in ["long-main.mp4", "long-inset.mp4"] {
            try FileManager.default.removeItem(atPath: commands.path(name))
        }
        return measurement
    }

    private func size(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: commands.path(name))
        return (attributes[.size] as? NSNumber)?.intValue ?? 0
    }

    private func checks() throws -> [ShardMeasurement.Check] {
        onProgress("comparing the frames")
        for command in commands.exact { try ChildProcess.measure(command) }
        let whole = try sums(["exact.mkv"])
        func check(_ title: String, _ sums: [String], _ expected: [String]) -> ShardMeasurement.Check {
            .init(title: title, frames: sums.count, isEqual: !sums.isEmpty && sums == expected)
        }
        return [
            check("Motion JPEG: one part, joined, and the whole", try sums(["exact-1.mkv"]), whole),
            check("Motion JPEG: two parts, joined, and the whole", try sums(["exact-2.mkv"]), whole),
            check(
                "H.264: two parts, joined, and the parts one after the other", try sums(["joined-two.mp4"]),
                try sums(["two-00000.mp4", "two-00001.mp4"])),
        ]
    }

    /// The checksums of the decoded frames of several files, in order.
    private func sums(_ names: [String]) throws -> [String] {
        try names.flatMap { name in
            let output = commands.path("sums.txt")
            _ = try ChildProcess.run(
                Command(["ffmpeg", "-nostdin", "-v", "error", "-i", commands.path(name), "-f", "framemd5", "-"]),
                output: output)
            return Self.sums(in: try String(contentsOfFile: output, encoding: .utf8))
        }
    }

    /// Parses the checksums in FFmpeg's output; leaves out the times of the frames.
    static func sums(in text: String) -> [String] {
        text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
            line.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }
}
