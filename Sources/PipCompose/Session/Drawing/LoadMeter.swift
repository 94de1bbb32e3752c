/// Adds up how a loop keeps its deadlines, and how much of the time it works.
struct LoadMeter {
    private var dueCount = 0
    private var missedCount = 0
    private var worked = Duration.zero
    private var since: Timestamp?

    /// Counts moments at which frames were due.
    mutating func due(_ count: Int, missed: Int) {
        dueCount += count
        missedCount += missed
    }

    /// Counts a stretch of work.
    mutating func worked(from start: Timestamp, to end: Timestamp) {
        if since == nil { since = start }
        worked += start.duration(to: end)
    }

    /// The load since the last call.
    mutating func take(_ now: Timestamp) -> LoadSample {
        let elapsed = since.map { $0.duration(to: now).inSeconds } ?? 0
        let utilization = elapsed > 0 ? min(1, worked.inSeconds / elapsed) : 0
        let sample = LoadSample(due: dueCount, missed: missedCount, utilization: utilization)
        self = LoadMeter()
        since = now
        return sample
    }
}
