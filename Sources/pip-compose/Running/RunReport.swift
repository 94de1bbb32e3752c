import PipCompose
import PipRig

/// The state of a run, for progress, summary and statistics.
struct RunReport: Sendable {
    /// The session's statistics; nil when the session could not be opened.
    var statistics: SessionStatistics?
    /// The state of the sound; nil for a run without sound.
    var sound: SoundReport?
    /// The roles of the sources, in the order of the statistics.
    var roles: [String] = []
    var usage = ResourceUsage()
    /// The cost of a frame; nil before there is a plan.
    var cost: RenderPlan.Cost?
    var renderer: String?
    /// The frame rate and, if known, the length of a run faster than real time; nil for a run in real time.
    var making: (rate: FrameRate, length: Duration?)?
    /// The composed part; nil for the whole.
    var shard: (shard: Shard, extent: ShardedRig.Extent)?
    /// The error that ended the run early; nil for success.
    var error: String?

    /// The CPU time for each frame of the output; nil before the first frame.
    var cpuMillisecondsPerFrame: Double? {
        let frames = frames
        return frames > 0 ? (usage.userSeconds + usage.systemSeconds) * 1000 / Double(frames) : nil
    }

    /// The number of frames of the output.
    var frames: Int { statistics?.output.frames ?? 0 }

    /// Records the composed part, and replaces the temporary paths of its outputs by their final ones.
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
