/// The frame loop's due frames and missed deadlines since the last sample.
package struct LoadSample: Sendable, Hashable {
    /// The number of frames that were due since the last sample.
    package var due: Int
    /// The number of due frames that were skipped because the work before them took too long.
    package var missed: Int

    /// Creates a sample from the loop's counters.
    package init(due: Int = 0, missed: Int = 0) {
        self.due = due
        self.missed = missed
    }
}
