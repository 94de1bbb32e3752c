import PipCompose
import PipRig

/// The run of one part of a composition: its files have their names once it is complete, or never.
struct ShardRun {
    let sharded: ShardedRig
    private let limit: (duration: Duration?, frames: Int?)

    /// - Throws: What keeps the composition from having parts.
    init?(_ request: RunRequest) throws {
        guard let shard = request.shard else { return nil }
        let run = request.file.run
        limit = (run.duration, run.frames)
        let text = run.duration.map { "duration \($0)" } ?? run.frames.map { "frames \($0)" } ?? ""
        sharded = try ShardedRig(shard, of: request.file.rig, limit: text)
    }

    /// The frames that it makes.
    func extent(in session: Session) throws -> ShardedRig.Extent {
        try sharded.extent(in: session, limit: limit.frames ?? limit.duration.map { session.ticks(in: $0) })
    }

    /// Keeps what was made, where that is all.
    ///
    /// - Parameters:
    ///   - extent: What was to be made.
    ///   - statistics: What was made.
    ///   - isInterrupted: Whether somebody asked to stop.
    /// - Throws: ``CommandError`` when something is missing; then nothing is kept.
    func finish(
        _ extent: ShardedRig.Extent, _ statistics: SessionStatistics, isInterrupted: Bool
    ) throws {
        let shard = sharded.shard
        let made = statistics.output.frames
        let isWhole = extent.count.map { made >= $0 } ?? !isInterrupted
        guard isWhole || !isInterrupted else {
            throw CommandError(
                .temporaryFailure,
                "shard \(shard): stopped after \(made) frames; nothing of it is kept, so run it again")
        }
        guard made > 0, isWhole || shard.isLast else {
            throw CommandError(
                .inputDamaged,
                "shard \(shard): the files end after frame \(extent.first + made), before they said; take fewer shards")
        }
        for sink in statistics.sinks where sink.written < made {
            throw CommandError(.outputFailed, "shard \(shard): \(sink.name) has \(sink.written) of \(made) frames")
        }
        try sharded.finish()
    }
}
