/// Predicts the time of a composition in parts.
///
/// Each part is composed on its own machine, all at the same time. The files are on a disk that the machines share. One
/// machine joins the parts at the end.
///
/// The model adds the disk's time to the other times, which overestimates machines that read ahead. A scheduler's
/// delays are not included.
struct ShardModel: Codable, Sendable, Equatable {
    var costs: ShardCosts
    /// The number of frames of the whole composition.
    var frames: Int
    /// The bandwidth of the disk in bytes a second, shared by all machines.
    var diskBytesPerSecond: Double

    /// The times of a run's stages, which follow one another.
    ///
    /// Units: seconds.
    struct Stages: Codable, Sendable, Equatable {
        var start: Double
        var seek: Double
        var frames: Double
        var disk: Double
        var join: Double

        var total: Double { start + seek + frames + disk + join }
    }

    /// The predicted times for a number of parts.
    struct Row: Codable, Sendable, Equatable {
        var parts: Int
        var stages: Stages
        /// The time without parts divided by the time with parts.
        var speedUp: Double
    }

    /// Predicts the times of all stages.
    ///
    /// - Parameter parts: The number of parts, at least 1. A single part is joined, too.
    /// - Returns: The predicted times.
    func stages(parts: Int) -> Stages {
        let bytes = Double(frames) * costs.fileBytesPerFrame
        let moved = transfer(parts: parts) + bytes * costs.joinBytesPerByte
        return Stages(
            start: costs.startSeconds, seek: parts > 1 ? costs.seekSeconds : 0,
            // The largest part determines the time.
            frames: Double((frames + parts - 1) / parts) * costs.secondsPerFrame,
            disk: moved / diskBytesPerSecond,
            join: costs.joinStartSeconds + Double(parts) * costs.joinSecondsPerPart + bytes * costs.joinSecondsPerByte)
    }

    /// The predicted time without parts, in seconds.
    var wholeSeconds: Double {
        costs.startSeconds + Double(frames) * costs.secondsPerFrame + transfer(parts: 1) / diskBytesPerSecond
    }

    func row(parts: Int) -> Row {
        let stages = stages(parts: parts)
        return Row(parts: parts, stages: stages, speedUp: wholeSeconds / stages.total)
    }

    /// The smallest number of parts that reaches the shortest time.
    func fastest(upTo most: Int) -> Row {
        (1...max(most, 1)).map { row(parts: $0) }.min { $0.stages.total < $1.stages.total } ?? row(parts: 1)
    }

    /// The largest number of parts, up to `most`, whose efficiency is at least `efficiency`; nil if there is none.
    ///
    /// The efficiency is the speed-up divided by the number of parts.
    func most(upTo most: Int, efficiency: Double) -> Row? {
        (1...max(most, 1)).reversed().lazy.map { row(parts: $0) }.first { $0.speedUp >= efficiency * Double($0.parts) }
    }

    /// The number of bytes that all parts read and write.
    private func transfer(parts: Int) -> Double {
        Double(parts) * costs.readBytesPerPart + Double(frames) * (costs.readBytesPerFrame + costs.writtenBytesPerFrame)
    }
}
