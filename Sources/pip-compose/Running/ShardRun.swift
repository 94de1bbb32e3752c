import PipCompose
import PipRig

/// The run of a part of a composition.
///
/// Its files get their names once they are complete, or never.
struct ShardRun {
    let sharded: ShardedRig
    private let limit: (duration: Duration?, frames: Int?)

    /// - Throws: ``UsageError`` for a composition that cannot have parts.
    init?(_ request: RunRequest) throws {
        guard let shard = request.shard else { return nil }
        let run = request.file.run
        limit = (run.duration, run.frames)
        let text = run.duration.map { "duration \($0)" } ?? run.frames.map { "frames \($0)" } ?? ""
        sharded = try ShardedRig(shard, of: request.file.rig, limit: text)
    }

    /// The frames of the part.
    func extent(in session: Session) throws -> ShardedRig.Extent {
        try sharded.extent(in: session, limit: limit.frames ?? limit.duration.map { session.ticks(in: $0) })
    }

    /// Keeps the files of a complete part.
    ///
    /// - Parameters:
    ///   - extent: The frames of the part.
    ///   - statistics: The statistics of the session.
    ///   - isInterrupted: True when a signal stopped the run.
    /// - Throws: ``CommandError`` for an incomplete part, whose files are discarded.
    func finish(
        _ extent: ShardedRig.Extent, _ statistics: SessionStatistics, isInterrupted: Bool
    ) throws {
        let shard = sharded.shard
        let made = statistics.output.frames
        let isWhole = extent.count.map { made >= $0 } ?? !isInterrupted
        guard isWhole || !isInterrupted else {
            throw CommandError(
                .temporaryFailure,
                "shard \(shard): stopped after \(made) frames; its files are deleted, so run it again")
        }
        guard made > 0, isWhole || shard.isLast else {
            throw CommandError(
                .inputDamaged,
                "shard \(shard): the files end after frame \(extent.first + made), before their announced end; use fewer shards"
            )
        }
        for sink in statistics.sinks where sink.written < made {
            throw CommandError(.outputFailed, "shard \(shard): \(sink.name) has \(sink.written) of \(made) frames")
        }
        try sharded.finish()
    }
}
