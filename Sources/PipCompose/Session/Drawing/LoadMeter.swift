/// Measures the deadline misses of a render loop, and the share of time that it works.
struct LoadMeter {
    private var dueCount = 0
    private var missedCount = 0
    private var worked = Duration.zero
    private var since: Timestamp?

    /// Counts due and missed frames.
    mutating func due(_ count: Int, missed: Int) {
        dueCount += count
        missedCount += missed
    }

    /// Adds the time of one tick's work.
    mutating func worked(from start: Timestamp, to end: Timestamp) {
        if since == nil { since = start }
        worked += start.duration(to: end)
    }

    /// Returns the load since the last call, and starts over.
    mutating func take(_ now: Timestamp) -> LoadSample {
        let elapsed = since.map { $0.duration(to: now).inSeconds } ?? 0
        let utilization = elapsed > 0 ? min(1, worked.inSeconds / elapsed) : 0
        let sample = LoadSample(due: dueCount, missed: missedCount, utilization: utilization)
        self = LoadMeter()
        since = now
        return sample
    }
}
