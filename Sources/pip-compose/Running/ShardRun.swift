import PipCompose
import PipRig

/// Runs one part of a sharded composition.
///
/// The part's files get their final names once they are complete. The files of an incomplete part are deleted.
struct ShardRun {
    let sharded: ShardedRig
    private let limit: (duration: Duration?, frames: Int?)

    /// Prepares the part of a composition that a request names; nil for a request without `--shard`.
    ///
    /// - Throws: ``UsageError`` for a composition that cannot be sharded, and ``SinkError`` for a file that exists
    ///   already, unless the file holds the same part or the output has `overwrite`.
    init?(_ request: RunRequest) throws {
        guard let shard = request.shard else { return nil }
        let run = request.file.run
        limit = (run.duration, run.frames)
        let text = run.duration.map { "duration \($0)" } ?? run.frames.map { "frames \($0)" } ?? ""
        sharded = try ShardedRig(shard, of: request.file.rig, limit: text)
    }

    /// The frames that the part holds.
    ///
    /// The session must have opened the files.
    func extent(in session: Session) throws -> ShardedRig.Extent {
        try sharded.extent(in: session, limit: limit.frames ?? limit.duration.map { session.ticks(in: $0) })
    }

    /// Checks that the part is complete, and gives its files their final names.
    ///
    /// - Parameters:
    ///   - extent: The frames that the part should hold.
    ///   - statistics: The final statistics of the session.
    ///   - isInterrupted: True if a signal stopped the run.
    /// - Throws: ``CommandError`` for an incomplete part, whose files the caller discards.
    func finish(
        _ extent: ShardedRig.Extent, _ statistics: SessionStatistics, isInterrupted: Bool
    ) throws {
        let shard = sharded.shard
        let made = statistics.output.frames
        let isWhole = extent.count.map { made >= $0 } ?? !isInterrupted
        guard isWhole || !isInterrupted else {
            throw CommandError(
                .temporaryFailure,
                "shard \(shard): stopped after \(counted(made, "frame")); its files are deleted; run the shard again")
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
