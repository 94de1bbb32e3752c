/// Predicts the time of a composition in parts.
///
/// Each part is made on a machine of its own, all at once; the files are on a disk that the machines share; one machine
/// joins the parts at the end.
///
/// The disk's time is added to the others, as though nothing were read or written while a part is composed: too much
/// where the machines read ahead. Nothing is in it for a scheduler that takes its time.
struct ShardModel: Codable, Sendable, Equatable {
    var costs: ShardCosts
    /// Of the whole.
    var frames: Int
    /// What the disk reads or writes in a second, for all machines together.
    var diskBytesPerSecond: Double

    /// The stages of a run, in seconds; one follows the other.
    struct Stages: Codable, Sendable, Equatable {
        var start: Double
        var seek: Double
        var frames: Double
        var disk: Double
        var join: Double

        var total: Double { start + seek + frames + disk + join }
    }

    /// A number of parts and what it brings.
    struct Row: Codable, Sendable, Equatable {
        var parts: Int
        var stages: Stages
        /// The time in one go, over this.
        var speedUp: Double
    }

    /// - Parameter parts: At least 1; with one there is a part to be joined, too.
    /// - Returns: What each takes.
    func stages(parts: Int) -> Stages {
        let bytes = Double(frames) * costs.fileBytesPerFrame
        let moved = transfer(parts: parts) + bytes * costs.joinBytesPerByte
        return Stages(
            start: costs.startSeconds, seek: parts > 1 ? costs.seekSeconds : 0,
            // The largest part is the last to be done.
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

    /// The number of parts beyond which the whole takes longer; the least such number.
    func fastest(upTo most: Int) -> Row {
        (1...max(most, 1)).map { row(parts: $0) }.min { $0.stages.total < $1.stages.total } ?? row(parts: 1)
    }

    /// The most parts of which each machine still does a share of what it would alone: 0.5 for half.
    func most(upTo most: Int, efficiency: Double) -> Row? {
        (1...max(most, 1)).reversed().lazy.map { row(parts: $0) }.first { $0.speedUp >= efficiency * Double($0.parts) }
    }

    /// What the parts read and write, in bytes.
    private func transfer(parts: Int) -> Double {
        Double(parts) * costs.readBytesPerPart + Double(frames) * (costs.readBytesPerFrame + costs.writtenBytesPerFrame)
    }
}
