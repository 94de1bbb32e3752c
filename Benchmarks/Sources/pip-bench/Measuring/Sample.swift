/// The cost of one frame: the difference between a long and a short run, divided by the difference in frames.
///
/// The program's start-up and exit cancel out. The memory is the long run's.
struct Sample: Codable, Sendable {
    var cpuMilliseconds: Double
    var wallMilliseconds: Double
    var memory: OwnMemory
    /// The CPU times of the complete runs, in seconds.
    var shortSeconds: Double
    var longSeconds: Double
}

/// The numbers of frames in the short and the long run of a measurement.
struct RunLengths: Codable, Sendable, Equatable {
    var short: Int
    var long: Int

    init(short: Int, long: Int) {
        self.short = short
        self.long = long
    }

    /// Creates lengths whose difference takes about `seconds` of CPU time, within limits of 8 to 3000 frames.
    init(millisecondsPerFrame: Double, seconds: Double) {
        // A short run of 24 frames uses each of a dozen buffers twice; it is shorter where a frame takes long.
        short = millisecondsPerFrame > 10 ? 6 : 24
        let frames = seconds * 1000 / max(millisecondsPerFrame, 0.01)
        long = short + Int(min(max(frames, 8), 3000))
    }

    /// Measures a command with a run of each length.
    func sample(_ command: (Int) -> Command) throws(CommandError) -> Sample {
        sample(try ChildProcess.measure(command(short)), try ChildProcess.measure(command(long)))
    }

    /// The cost of a frame, from a short and a long run of these lengths.
    func sample(_ first: Usage, _ second: Usage) -> Sample {
        let frames = Double(long - short)
        return Sample(
            cpuMilliseconds: (second.cpuSeconds - first.cpuSeconds) * 1000 / frames,
            wallMilliseconds: (second.wallSeconds - first.wallSeconds) * 1000 / frames,
            memory: second.memory, shortSeconds: first.cpuSeconds,
            longSeconds: second.cpuSeconds)
    }

    /// The cost of a frame in CPU milliseconds, from the least disturbed runs; nil for no samples.
    ///
    /// Uses the shortest long run and the shortest short run, because other processes can only lengthen a run.
    func quietCost(_ samples: [Sample]) -> Double? {
        guard let short = samples.map(\.shortSeconds).min(), let long = samples.map(\.longSeconds).min() else {
            return nil
        }
        return (long - short) * 1000 / Double(self.long - self.short)
    }
}
