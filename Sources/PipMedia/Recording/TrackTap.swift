#if Media
internal import PipFrames

/// The connection of an output to the producer of one of its tracks beside the picture.
protocol TrackTap: Sendable {
    /// Lets the track go on up to the end of a frame shown from `start` to `end`.
    func reach(from start: Timestamp, to end: Timestamp)

    /// Ends the track at `time`.
    func end(at time: Timestamp)
}
#endif
