/// The due times of output frames: ticks at a fixed rate.
///
/// A rate limit leaves out some of the ticks.
///
/// Ticks count from 0. Left-out ticks count, too, so that the output time stays right under a limit.
struct RenderSchedule {
    let rate: FrameRate
    /// The highest rate of drawn frames; nil gives every tick a frame.
    var limit: FrameRate?
    /// The tick that is due next, counted from 0.
    private(set) var tick: Int
    /// The number of ticks left out on purpose since the latest drawn frame.
    private(set) var leftOut = 0
    /// The tick of the latest drawn frame.
    ///
    /// One less than the first tick until a frame is drawn.
    private(set) var drawn: Int

    /// The numbers of ticks that an advance has skipped.
    struct Passed: Equatable {
        /// The number of ticks left out on purpose.
        var thinned = 0
        /// The number of ticks whose time had passed already.
        var missed = 0
    }

    /// Creates a schedule whose first tick is `first`.
    init(rate: FrameRate, from first: Int = 0) {
        self.rate = rate
        (tick, drawn) = (first, first - 1)
    }

    /// The due time of the present tick, as an offset from tick 0.
    var offset: Duration { rate.offset(ofFrame: tick) }

    /// The time from one frame to the next.
    var interval: Duration { (limit.map { min($0, rate) } ?? rate).interval }

    /// Advances to the next tick that gets a frame.
    ///
    /// - Parameters:
    ///   - elapsed: The time since tick 0. Ticks that have passed entirely by then are missed; nil misses no ticks.
    ///   - end: The tick at which the output ends; nil has no end.
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

    mutating func frameDrawn() { (leftOut, drawn) = (0, tick) }

    /// The next tick that gets a frame under the limit; such ticks are evenly spaced.
    private func moment(after tick: Int) -> Int {
        guard let limit, limit < rate else { return tick + 1 }
        let (share, whole) = (limit.frames * rate.seconds, limit.seconds * rate.frames)
        var next = tick + 1
        while next * share / whole == (next - 1) * share / whole { next += 1 }
        return next
    }
}
