/// The cost of a frame: the difference between a long and a short run, which cancels start and end.
struct Sample: Codable, Sendable {
    var cpuMilliseconds: Double
    var wallMilliseconds: Double
    var peakMebibytes: Double
    /// CPU time of the two runs as a whole.
    var shortSeconds: Double
    var longSeconds: Double
}

/// The lengths of a measurement's two runs, in frames.
struct RunLengths: Codable, Sendable, Equatable {
    var short: Int
    var long: Int

    init(short: Int, long: Int) {
        self.short = short
        self.long = long
    }

    /// Lengths whose difference takes about `seconds` of CPU time.
    init(millisecondsPerFrame: Double, seconds: Double) {
        // Twice through a dozen buffers, unless that takes too long.
        short = millisecondsPerFrame > 10 ? 6 : 24
        let frames = seconds * 1000 / max(millisecondsPerFrame, 0.01)
        long = short + Int(min(max(frames, 8), 3000))
    }

    /// Runs a command at both lengths.
    func sample(_ command: (Int) -> Command) throws(CommandError) -> Sample {
        sample(try ChildProcess.measure(command(short)), try ChildProcess.measure(command(long)))
    }

    /// The cost of a frame, from two runs of these lengths.
    func sample(_ first: Usage, _ second: Usage) -> Sample {
        let frames = Double(long - short)
        return Sample(
            cpuMilliseconds: (second.cpuSeconds - first.cpuSeconds) * 1000 / frames,
            wallMilliseconds: (second.wallSeconds - first.wallSeconds) * 1000 / frames,
            peakMebibytes: Double(second.peakKibibytes) / 1024, shortSeconds: first.cpuSeconds,
            longSeconds: second.cpuSeconds)
    }

    /// CPU milliseconds a frame, from the shortest long run and the shortest short run, because other processes only
    /// lengthen a run.
    func quietCost(_ samples: [Sample]) -> Double? {
        guard let short = samples.map(\.shortSeconds).min(), let long = samples.map(\.longSeconds).min() else {
            return nil
        }
        return (long - short) * 1000 / Double(self.long - self.short)
    }
}
