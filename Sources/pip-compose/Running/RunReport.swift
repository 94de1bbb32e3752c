import PipCompose
import PipRig

/// The state of a run, for progress, summary and statistics.
struct RunReport: Sendable {
    /// Nil when nothing could be opened.
    var statistics: SessionStatistics?
    /// The state of the sound; nil without any.
    var sound: SoundReport?
    /// The role of each source, in the order of the statistics.
    var roles: [String] = []
    var usage = ResourceUsage()
    /// The cost of a frame; nil before there was a plan.
    var cost: RenderPlan.Cost?
    var renderer: String?
    /// The rate and the length of what is made faster than real time, as far as that is known; nil in real time.
    var making: (rate: FrameRate, length: Duration?)?
    /// The part that was made; nil for the whole.
    var shard: (shard: Shard, extent: ShardedRig.Extent)?
    /// The error that ended the run early; nil for success.
    var error: String?

    /// CPU time for each frame of the output; nil before the first.
    var cpuMillisecondsPerFrame: Double? {
        let frames = frames
        return frames > 0 ? (usage.userSeconds + usage.systemSeconds) * 1000 / Double(frames) : nil
    }

    /// Frames of the output.
    var frames: Int { statistics?.output.frames ?? 0 }

    /// Notes the part that was made, and calls its outputs by the names that they have now.
    mutating func note(_ run: ShardRun, _ extent: ShardedRig.Extent) {
        shard = (run.sharded.shard, extent)
        let names = run.sharded.names
        guard var sinks = statistics?.sinks else { return }
        for index in sinks.indices { sinks[index].name = names[sinks[index].name] ?? sinks[index].name }
        statistics?.sinks = sinks
    }

    /// The role of a source.
    func role(_ index: Int) -> String { roles.indices.contains(index) ? roles[index] : "source \(index + 1)" }
}
