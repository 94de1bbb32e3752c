/// The due times of output frames: ticks at a fixed rate, some of which are left out while fewer frames are wanted.
///
/// Ticks count from 0, including those that are left out, so that the output time stays right at lower rates.
struct RenderSchedule {
    let rate: FrameRate
    /// The most frames a second; nil gives every tick a frame.
    var limit: FrameRate?
    /// The present tick.
    private(set) var tick: Int
    /// The number of ticks left out since the latest drawn frame.
    private(set) var leftOut = 0
    /// The tick of the latest drawn frame.
    ///
    /// Before the first frame: the tick before it.
    private(set) var drawn: Int

    /// The ticks that an advance skipped.
    struct Passed: Equatable {
        /// Ticks left out on purpose.
        var thinned = 0
        /// Ticks that had passed already.
        var missed = 0
    }

    /// A schedule that begins with a tick.
    init(rate: FrameRate, from first: Int = 0) {
        self.rate = rate
        (tick, drawn) = (first, first - 1)
    }

    /// The due time of the present tick, as an offset from tick 0.
    var offset: Duration { rate.offset(ofFrame: tick) }

    /// The time from one frame to the next.
    var interval: Duration { (limit.map { min($0, rate) } ?? rate).interval }

    /// Goes to the next tick that gets a frame.
    ///
    /// - Parameters:
    ///   - elapsed: The time since tick 0. Ticks that have passed altogether by then are missed; nil misses none.
    ///   - end: The tick at which the output ends.
    /// - Returns: The numbers of skipped ticks, by reason.
    mutating func advance(elapsed: Duration?, end: Int?) -> Passed {
        var next = moment(after: tick)
        var passed = Passed(thinned: next - tick - 1)
        while let elapsed {
            let following = moment(after: next)
            if rate.offset(ofFrame: following) > elapsed { break }
            if let end, next >= end { break }
            passed.thinned += following - next - 1
            passed.missed += 1
            next = following
        }
        tick = next
        leftOut += passed.thinned
        return passed
    }

    /// Counts the ticks that are left out before the next frame from here on.
    mutating func frameDrawn() { (leftOut, drawn) = (0, tick) }

    /// The next tick that gets a frame; they are spread evenly.
    private func moment(after tick: Int) -> Int {
        guard let limit, limit < rate else { return tick + 1 }
        let (share, whole) = (limit.frames * rate.seconds, limit.seconds * rate.frames)
        var next = tick + 1
        while next * share / whole == (next - 1) * share / whole { next += 1 }
        return next
    }
}
