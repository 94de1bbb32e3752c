/// The timing of a render loop: the rate, real time or file time, and the range of frames.
struct RenderTiming: Sendable {
    /// The range of frames that a loop draws.
    struct Limits: Sendable {
        /// The tick of the first frame.
        var first = 0
        /// The first tick that is not drawn, at which the loop ends; nil has no limit.
        var end: Int?
        /// The most output frames; nil has no limit.
        var frames: Int?
    }

    var rate: FrameRate
    /// True when the output time counts frames, and the loop waits for files.
    ///
    /// False in real time.
    var isOffline: Bool
    /// True when the ticks keep the phase of the main camera's frames.
    var followsCamera = false
    /// The longest wait for the first frame of every source.
    ///
    /// The wait of an offline loop has no end.
    var patience = Duration.seconds(2)
    var limits = Limits()
}

/// The position of an output frame in time.
struct FrameTiming {
    /// The frame's due time.
    var timestamp: Timestamp
    /// The number of frames drawn before this frame.
    var sequence: UInt64
    /// The output time, by which effects start and end.
    var time: Duration
    /// The frame's tick; ticks without a frame are counted, too.
    var tick: Int
    /// The tick of the previous frame; before the first frame, one less than the output's first tick.
    var previous: Int
    /// The time from one frame to the next.
    var interval: Duration
}
