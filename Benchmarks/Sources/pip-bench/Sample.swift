/// What one frame took, by difference of a long and a short run, so that start and end drop out.
struct Sample: Codable, Sendable {
    var cpuMilliseconds: Double
    var wallMilliseconds: Double
    var peakMebibytes: Double
    /// Of the two runs as a whole.
    var shortSeconds: Double
    var longSeconds: Double
}

/// How long the two runs of a measurement are, in frames.
struct RunLengths: Codable, Sendable, Equatable {
    var short: Int
    var long: Int

    /// Lengths whose difference takes about so much CPU time.
    init(short: Int, millisecondsPerFrame: Double, seconds: Double, atMost limit: Int) {
        self.short = short
        let frames = seconds * 1000 / max(millisecondsPerFrame, 0.01)
        long = short + Int(min(max(frames, 30), Double(limit)))
    }

    init(short: Int, long: Int) {
        self.short = short
        self.long = long
    }

    /// Runs a command at both lengths.
    func sample(_ command: (Int) -> Command) throws(CommandError) -> Sample {
        let first = try ChildProcess.measure(command(short))
        let second = try ChildProcess.measure(command(long))
        let frames = Double(long - short)
        return Sample(
            cpuMilliseconds: (second.cpuSeconds - first.cpuSeconds) * 1000 / frames,
            wallMilliseconds: (second.wallSeconds - first.wallSeconds) * 1000 / frames,
            peakMebibytes: Double(second.peakKibibytes) / 1024, shortSeconds: first.cpuSeconds,
            longSeconds: second.cpuSeconds)
    }
}

extension RunLengths {
    /// CPU milliseconds a frame by difference of the least long and the least short run: what else the machine does only adds to a run.
    func quietCost(_ samples: [Sample]) -> Double? {
        guard let short = samples.map(\.shortSeconds).min(), let long = samples.map(\.longSeconds).min() else {
            return nil
        }
        return (long - short) * 1000 / Double(self.long - self.short)
    }
}

/// The middle of some values, and how far they lie apart.
struct Spread: Codable, Sendable {
    var median: Double
    var lowest: Double
    var highest: Double

    init?(_ values: [Double]) {
        let sorted = values.sorted()
        guard let lowest = sorted.first, let highest = sorted.last else { return nil }
        let middle = sorted.count / 2
        median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
        self.lowest = lowest
        self.highest = highest
    }
}
