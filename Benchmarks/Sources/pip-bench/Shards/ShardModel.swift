/// Predicts the time of a composition in parts.
///
/// Each part is made on a machine of its own, all at once; the files are on a disk that the machines share; one machine
/// joins the parts at the end.
///
/// The model adds the time of the disk to the other times, which is too much for machines that read ahead. It contains
/// no delay of a scheduler.
struct ShardModel: Codable, Sendable, Equatable {
    var costs: ShardCosts
    /// The number of frames of the whole.
    var frames: Int
    /// The bandwidth of the disk, for all machines together.
    var diskBytesPerSecond: Double

    /// The consecutive stages of a run.
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

    /// A number of parts with its predicted times.
    struct Row: Codable, Sendable, Equatable {
        var parts: Int
        var stages: Stages
        /// The time in one go, over the time in parts.
        var speedUp: Double
    }

    /// - Parameter parts: The number of parts, at least 1. A single part is joined, too.
    /// - Returns: The times of the stages.
    func stages(parts: Int) -> Stages {
        let bytes = Double(frames) * costs.fileBytesPerFrame
        let moved = transfer(parts: parts) + bytes * costs.joinBytesPerByte
        return Stages(
            start: costs.startSeconds, seek: parts > 1 ? costs.seekSeconds : 0,
            // The largest part takes longest.
            frames: Double((frames + parts - 1) / parts) * costs.secondsPerFrame,
            disk: moved / diskBytesPerSecond,
            join: costs.joinStartSeconds + Double(parts) * costs.joinSecondsPerPart + bytes * costs.joinSecondsPerByte)
    }

    /// The time in one go, without parts.
    var wholeSeconds: Double {
        costs.startSeconds + Double(frames) * costs.secondsPerFrame + transfer(parts: 1) / diskBytesPerSecond
    }

    func row(parts: Int) -> Row {
        let stages = stages(parts: parts)
        return Row(parts: parts, stages: stages, speedUp: wholeSeconds / stages.total)
    }

    /// The smallest number of parts with the shortest time.
    func fastest(upTo most: Int) -> Row {
        (1...max(most, 1)).map { row(parts: $0) }.min { $0.stages.total < $1.stages.total } ?? row(parts: 1)
    }

    /// The largest number of parts with at least an efficiency, such as 0.5; nil if even one part has less.
    func most(upTo most: Int, efficiency: Double) -> Row? {
        (1...max(most, 1)).reversed().lazy.map { row(parts: $0) }.first { $0.speedUp >= efficiency * Double($0.parts) }
    }

    /// The bytes that the parts read and write.
    private func transfer(parts: Int) -> Double {
        Double(parts) * costs.readBytesPerPart + Double(frames) * (costs.readBytesPerFrame + costs.writtenBytesPerFrame)
    }
}
