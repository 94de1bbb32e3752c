/// Counts the due frames and the deadline misses of a render loop.
struct LoadMeter {
    private var counts = LoadSample()

    /// Adds `count` due frames, of which `missed` were missed.
    mutating func due(_ count: Int, missed: Int) {
        counts.due += count
        counts.missed += missed
    }

    /// Returns the load since the last call, and starts over.
    mutating func take() -> LoadSample {
        defer { counts = LoadSample() }
        return counts
    }
}
