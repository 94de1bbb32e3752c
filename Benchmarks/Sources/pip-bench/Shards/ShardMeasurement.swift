/// The measurements of compositions in parts.
struct ShardMeasurement: Codable, Sendable {
    var machine: Machine
    /// The first line of each program's version.
    var versions: [String]
    var turns: Int
    /// The numbers of frames of the short and of the long sources.
    var frames: Int
    var longFrames: Int
    var runs: [Run] = []
    /// The sizes in bytes of the sources and of some composed files, keyed by name.
    var sizes: [String: Int] = [:]
    /// The results of comparing frames bit by bit.
    var checks: [Check] = []

    /// A run, measured in all rounds.
    ///
    /// The CPU times of a run's processes are added, and the wall time ends with the last process.
    struct Run: Codable, Sendable {
        var run: ShardRun
        var cpuSeconds: Spread
        /// The highest CPU time of one of the run's processes.
        var longestCPUSeconds: Spread
        var wallSeconds: Spread
        /// The number of bytes read by system calls; 0 where the kernel does not count.
        var readBytes: Double
        var writtenBytes: Double
    }

    struct Check: Codable, Sendable {
        var title: String
        var frames: Int
        var isEqual: Bool
    }

    subscript(run: ShardRun) -> Run? { runs.first { $0.run == run } }
}

extension ShardMeasurement.Run {
    /// Summarizes all rounds of a run; nil for an empty list.
    init?(_ run: ShardRun, turns: [[Usage]]) {
        func sum(_ usages: [Usage], _ value: (Usage) -> Double) -> Double { usages.map(value).reduce(0, +) }
        guard let cpu = Spread(turns.map { sum($0, \.cpuSeconds) }),
            let longest = Spread(turns.map { $0.map(\.cpuSeconds).max() ?? 0 }),
            let wall = Spread(turns.map { $0.map(\.wallSeconds).max() ?? 0 }),
            let read = Spread(turns.map { sum($0) { Double($0.transfer?.read ?? 0) } }),
            let written = Spread(turns.map { sum($0) { Double($0.transfer?.written ?? 0) } })
        else { return nil }
        self.init(
            run: run, cpuSeconds: cpu, longestCPUSeconds: longest, wallSeconds: wall, readBytes: read.median,
            writtenBytes: written.median)
    }
}

extension ShardMeasurement {
    /// The measured and the predicted time for a number of parts.
    struct Comparison: Codable, Sendable, Equatable {
        /// The number of parts; 0 for a composition without parts.
        var parts: Int
        /// The CPU time of the slowest part plus that of `join`: the time on machines with one core.
        var cpuSeconds: Double
        /// The wall time of all parts plus that of `join`, from the least disturbed rounds.
        var wallSeconds: Double
        var predictedSeconds: Double
    }

    /// The comparisons for no parts, one part and two parts, each on its own core.
    var comparisons: [Comparison] {
        guard let model = measuredModel, let whole = self[.wholeOnOneCore] else { return [] }
        let runs = [(1, ShardRun.onePart, ShardRun.joinOnePart), (2, .twoParts, .joinTwoParts)]
        let first = Comparison(
            parts: 0, cpuSeconds: whole.cpuSeconds.median, wallSeconds: whole.wallSeconds.lowest,
            predictedSeconds: model.wholeSeconds)
        return [first]
            + runs.compactMap { parts, run, join in
                guard let run = self[run], let join = self[join] else { return nil }
                return Comparison(
                    parts: parts, cpuSeconds: run.longestCPUSeconds.median + join.cpuSeconds.median,
                    wallSeconds: run.wallSeconds.lowest + join.wallSeconds.lowest,
                    predictedSeconds: model.stages(parts: parts).total)
            }
    }

    /// The costs on an idle machine with one core, computed from the CPU times of the runs.
    ///
    /// - Parameter isLong: True for the long files, whose larger index every part reads; false for the short files.
    /// - Returns: The costs; nil when a run or a file size is missing.
    func costs(isLong: Bool) -> ShardCosts? {
        guard let ten = self[.tenSeconds], let tenStart = self[.startAtKey],
            let first = self[isLong ? .longFirst : .startFirst],
            let middle = self[isLong ? .longMiddle : .startAtKey],
            let last = self[isLong ? .longLast : .startBeforeKey],
            let one = self[.joinOneSmall], let many = self[.joinManySmall], let long = self[.joinLong],
            let small = sizes["small.mp4"], let longSize = sizes["long-main.mp4"], let whole = sizes["whole.mp4"]
        else { return nil }
        let others = Double(ShardCommands.small - 1)
        let perPart = (many.cpuSeconds.median - one.cpuSeconds.median) / others
        let longParts = Double(longFrames / frames)
        let smallBytes = Double(ShardCommands.small * small)
        let manyParts = Double(ShardCommands.small)
        let perByte =
            (long.cpuSeconds.median - many.cpuSeconds.median - (longParts - manyParts) * perPart)
            / (Double(longSize) - smallBytes)
        let tenFrames = 299.0
        return ShardCosts(
            startSeconds: first.cpuSeconds.median,
            seekSeconds: max(0, (middle.cpuSeconds.median + last.cpuSeconds.median) / 2 - first.cpuSeconds.median),
            secondsPerFrame: (ten.cpuSeconds.median - tenStart.cpuSeconds.median) / tenFrames,
            readBytesPerPart: (first.readBytes + middle.readBytes + last.readBytes) / 3,
            readBytesPerFrame: (ten.readBytes - tenStart.readBytes) / tenFrames,
            writtenBytesPerFrame: (ten.writtenBytes - tenStart.writtenBytes) / tenFrames,
            fileBytesPerFrame: Double(whole) / Double(frames),
            joinStartSeconds: one.cpuSeconds.median - perPart - Double(small) * perByte, joinSecondsPerPart: perPart,
            joinSecondsPerByte: perByte,
            joinBytesPerByte: (long.readBytes + long.writtenBytes) / Double(longSize))
    }

    /// The model for the short files, which are in the page cache, so that no disk is read.
    var measuredModel: ShardModel? {
        costs(isLong: false).map { ShardModel(costs: $0, frames: frames, diskBytesPerSecond: .infinity) }
    }

    /// The model for the long files on a disk that all machines share.
    func archiveModel(diskBytesPerSecond: Double) -> ShardModel? {
        costs(isLong: true).map { ShardModel(costs: $0, frames: longFrames, diskBytesPerSecond: diskBytesPerSecond) }
    }
}
