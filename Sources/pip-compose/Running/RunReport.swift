import PipCompose
import PipRig

/// The results of a run, from which progress, summary and statistics are written.
struct RunReport: Sendable {
    /// The session's statistics; nil before the session is opened.
    var statistics: SessionStatistics?
    /// The state of the sound; nil for a run without sound.
    var sound: SoundReport?
    /// The names of the sources, in the order of the statistics.
    var roles: [String] = []
    var usage = ResourceUsage()
    /// The predicted cost of a frame; nil before the session is opened.
    var cost: RenderPlan.Cost?
    var renderer: String?
    /// The output rate and, if known, the length of a run faster than real time; nil for a run in real time.
    var making: (rate: FrameRate, length: Duration?)?
    /// The part of a sharded composition that was made; nil for a whole composition.
    var shard: (shard: Shard, extent: ShardedRig.Extent)?
    /// The error that ended the run; nil for a run without an error.
    var error: String?

    /// The CPU time for each output frame, in milliseconds; nil before the first output frame.
    var cpuMillisecondsPerFrame: Double? {
        let frames = frames
        return frames > 0 ? (usage.userSeconds + usage.systemSeconds) * 1000 / Double(frames) : nil
    }

    /// The number of output frames so far.
    var frames: Int { statistics?.output.frames ?? 0 }

    /// Records that a shard was made, and replaces the temporary paths of the shard's outputs by the final paths.
    mutating func note(_ run: ShardRun, _ extent: ShardedRig.Extent) {
        shard = (run.sharded.shard, extent)
        let names = run.sharded.names
        guard var sinks = statistics?.sinks else { return }
        for index in sinks.indices { sinks[index].name = names[sinks[index].name] ?? sinks[index].name }
        statistics?.sinks = sinks
    }

    /// The name of the source at an index, for users.
    func role(_ index: Int) -> String { roles.indices.contains(index) ? roles[index] : "source \(index + 1)" }
}
