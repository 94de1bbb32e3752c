/// Passes marked moments to the outputs of a session, and reports them.
///
/// Thread: any.
struct MomentMarks: Sendable {
    let outputs: OutputList
    let journal: SessionJournal
    let clock: MonotonicClock

    /// Marks a moment for the recordings of clips.
    ///
    /// - Returns: The number of recordings that keep the moment.
    func mark(_ name: String, reason: String?, at time: Timestamp?) -> Int {
        let moment = Moment(name, reason: reason, at: time ?? clock.now)
        let count = outputs.mark(moment)
        journal.yield(.marked(moment, recordings: count))
        return count
    }
}
