/// When output frames are due: at a fixed rate from a start, with moments left out where fewer are wanted.
///
/// Moments are counted from 0, left-out ones too, so that time stays right whatever the rate is lowered to.
struct RenderSchedule {
    let rate: FrameRate
    /// The most frames a second; nil: all moments get one.
    var limit: FrameRate?
    /// The moment at hand.
    private(set) var tick: Int
    /// Moments left out since the latest frame that was drawn.
    private(set) var leftOut = 0
    /// The moment of the latest frame that was drawn; before the first the one before it.
    private(set) var drawn: Int

    /// The moments that an advance skipped.
    struct Passed: Equatable {
        /// Moments left out on purpose.
        var thinned = 0
        /// Moments for which it was too late.
        var missed = 0
    }

    /// A schedule that begins with a moment.
    init(rate: FrameRate, from first: Int = 0) {
        self.rate = rate
        (tick, drawn) = (first, first - 1)
    }

    /// When the moment at hand is due, counted from the start.
    var offset: Duration { rate.offset(ofFrame: tick) }

    /// From one frame to the next.
    var interval: Duration { (limit.map { min($0, rate) } ?? rate).interval }

    /// Goes to the next moment that gets a frame.
    ///
    /// - Parameters:
    ///   - elapsed: Time since the start: moments that have passed altogether by then are missed; nil misses none.
    ///   - end: The first moment that is not wanted any more.
    /// - Returns: The numbers of skipped moments, by reason.
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

    /// Counts from here on what is left out before the next frame.
    mutating func frameDrawn() { (leftOut, drawn) = (0, tick) }

    /// The first moment after another that gets a frame; spread evenly.
    private func moment(after tick: Int) -> Int {
        guard let limit, limit < rate else { return tick + 1 }
        let (share, whole) = (limit.frames * rate.seconds, limit.seconds * rate.frames)
        var next = tick + 1
        while next * share / whole == (next - 1) * share / whole { next += 1 }
        return next
    }
}
