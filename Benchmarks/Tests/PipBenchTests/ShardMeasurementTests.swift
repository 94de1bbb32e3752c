import Foundation
import Testing

@testable import pip_bench

@Suite("The measurement of an archive in parts")
struct ShardMeasurementTests {
    /// The measurements of a made-up machine.
    ///
    /// Starting with the short files takes 0.2 s, decoding from a key frame at most 0.1 s, a frame 10 ms, and joining a
    /// part 12 ms. The second of two parts, each on its own core, takes two seconds longer than the first.
    private var measurement: ShardMeasurement {
        var measurement = ShardMeasurement(
            machine: .current(), versions: [], turns: 1, frames: 1200, longFrames: 216_000)
        measurement.sizes = ["small.mp4": 1_000_000, "long-main.mp4": 900_000_000, "whole.mp4": 12_000_000]
        let seconds: [ShardRun: [Double]] = [
            .wholeOnOneCore: [12.2], .onePart: [12.2], .twoParts: [6.2, 8.2], .wholeOnAllCores: [12.2],
            .twoPartsOnAllCores: [6.2, 6.2], .tenSeconds: [3.2], .startFirst: [0.2], .startBeforeKey: [0.3],
            .startAtKey: [0.21], .startLast: [0.3], .joinOnePart: [0.084], .joinTwoParts: [0.094],
            .joinOneSmall: [0.062],
            .joinManySmall: [0.77], .joinLong: [3.65], .longFirst: [0.4], .longMiddle: [0.5], .longLast: [0.6],
        ]
        measurement.runs = ShardRun.allCases.compactMap { run in
            let usages = (seconds[run] ?? []).map { seconds in
                Usage(
                    cpuSeconds: seconds, wallSeconds: seconds * 1.5, memory: OwnMemory([]),
                    transfer: TransferCounts(read: Int(seconds * 1e6), written: Int(seconds * 1e5)))
            }
            return ShardMeasurement.Run(run, turns: [usages])
        }
        return measurement
    }

    @Test("costs are the differences of runs")
    func costs() throws {
        let costs = try #require(measurement.costs(isLong: false))
        #expect(costs.startSeconds == 0.2)
        #expect(abs(costs.seekSeconds - 0.055) < 1e-9)
        #expect(abs(costs.secondsPerFrame - 2.99 / 299) < 1e-9)
        #expect(abs(costs.joinSecondsPerPart - 0.012) < 1e-9)
        // The larger join has 120 more files and 840 MB more.
        #expect(abs(costs.joinSecondsPerByte - (3.65 - 0.77 - 120 * 0.012) / 840e6) < 1e-15)
        #expect(costs.fileBytesPerFrame == 10_000)
        #expect(abs(costs.readBytesPerFrame - 2.99e6 / 299) < 1e-6)
        let long = try #require(measurement.costs(isLong: true))
        #expect(long.startSeconds == 0.4)
        #expect(abs(long.seekSeconds - 0.15) < 1e-9)
    }

    @Test("two parts take as long as the slower of them, and join; in CPU time, and by the clock")
    func comparison() throws {
        let all = measurement.comparisons
        #expect(all.map(\.parts) == [0, 1, 2])
        let two = try #require(all.last)
        #expect(abs(two.cpuSeconds - 8.294) < 1e-9 && abs(two.wallSeconds - 8.294 * 1.5) < 1e-9)
        #expect(abs(all[0].predictedSeconds - (0.2 + 12)) < 1e-6)
    }

    @Test("a run that is missing leaves no model")
    func missing() {
        var measurement = measurement
        measurement.runs.removeAll { $0.run == .joinLong }
        #expect(measurement.measuredModel == nil && measurement.archiveModel(diskBytesPerSecond: 1e9) == nil)
    }

    @Test("the report has all runs, both disks, and the fastest number of parts of each")
    func report() {
        let text = ShardReport(measurement: measurement).text
        for run in ShardRun.allCases { #expect(text.contains("| \(run.title) |"), "\(run)") }
        #expect(text.components(separatedBy: ", fastest |").count == 1 + ShardReport.disks.count)
        #expect(text.contains("| 2 and `join` | 8.29 | 1.47 |"), "\(text)")
    }

    @Test("the report can be made again of what is stored")
    func stored() throws {
        let folder = NSTemporaryDirectory() + "pip-bench-\(getpid())-shards"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let report = ShardReport(measurement: measurement)
        try report.store(in: folder)
        #expect(try ShardReport(storedIn: folder).text == report.text)
    }

    @Test("frames are compared by their sums, not by their times")
    func sums() {
        let text = "#format: frame checksums\n0,  0,  0,  1,  1382400, 0aa1\n0,  1,  1,  1,  1382400, 0bb2\n"
        #expect(ShardBench.sums(in: text) == ["0aa1", "0bb2"])
    }

    @Test("bytes that a process reads and writes are its own, counted to its end")
    func transfer() throws {
        let file = NSTemporaryDirectory() + "pip-bench-\(getpid())-transfer"
        defer { try? FileManager.default.removeItem(atPath: file) }
        let usage = try ChildProcess.measure(
            Command(["dd", "if=/dev/zero", "of=\(file)", "bs=1M", "count=8", "status=none"]))
        let transfer = try #require(usage.transfer)
        #expect((8 << 20..<9 << 20).contains(transfer.read) && (8 << 20..<9 << 20).contains(transfer.written))
        #expect(TransferCounts("rchar: 5\nwchar: 7\nsyscr: 1\n") == TransferCounts(read: 5, written: 7))
        #expect(TransferCounts("wchar: 7\n") == nil)
    }

    @Test("commands at the same time are all measured; one that fails is told of when all have ended")
    func atOnce() throws {
        let usages = try ChildProcess.measure(atOnce: [Command(["true"]), Command(["sleep", "0.05"])])
        #expect(usages.count == 2)
        let error = #expect(throws: CommandError.self) {
            try ChildProcess.measure(atOnce: [Command(["false"]), Command(["true"])])
        }
        #expect(error?.reason == "it ended with status 1")
    }

    @Test(
        "the command line",
        arguments: [
            (["--seconds", "30"], "--seconds: 30 must be a whole number above 0, divisible by 20"),
            (["--seconds", "7220"], "--seconds: 7220 must be at most 7200"),
            (["--size"], "--size: no such option"), (["--turns"], "--turns: a value is missing"),
        ])
    func arguments(words: [String], message: String) {
        let error = #expect(throws: ArgumentError.self) { try ShardArguments(words) }
        #expect(error?.description == message)
    }

    @Test("only a whole measurement takes the place of the stored report")
    func results() throws {
        #expect(try ShardArguments(["--folder", "b"]).results == "b/results")
        #expect(try ShardArguments(["--folder", "b", "--seconds", "20"]).results == "b/results/partial")
        #expect(try ShardArguments(["--turns", "1"]).results == "./results/partial")
        #expect(try ShardArguments([]).commands.frames * ShardArguments([]).commands.repeats == 216_000)
    }
}
