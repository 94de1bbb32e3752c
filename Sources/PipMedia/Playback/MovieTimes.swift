#if Media
internal import PipFrames

/// The moments at which a movie's frames are shown, by those that its file gives them.
///
/// Containers round to their own units, to a millisecond in Matroska. A frame that is as near as that to where the
/// file's rate has it is shown there: an output of the same rate then shows each frame once.
struct MovieTimes {
    /// Where a frame belongs.
    enum Place: Equatable {
        /// Before the part that is shown.
        case before
        /// In it, at a time from the source's start.
        case at(Duration)
        /// Behind it.
        case after
    }

    let rate: FrameRate
    private let range: Range<Duration>
    private let tolerance: Duration
    /// The file's time of its very first frame.
    private var origin: Duration?
    /// The source's time at which this round began.
    private var base = Duration.zero
    /// The position of this round's first frame.
    private var first: Duration?
    /// The latest frame, and the end of the latest whose time was above those before it.
    private var last: (position: Duration, end: Duration)?
    /// What is added to the file's times since they began anew.
    private var jump = Duration.zero
    /// When the latest frame ends.
    private var end = Duration.zero

    /// - Parameters:
    ///   - rate: The file's rate.
    ///   - start: The beginning of the part that is shown.
    ///   - end: The end of that part; nil for the file's.
    init(rate: FrameRate, from start: Duration = .zero, to end: Duration? = nil) {
        self.rate = rate
        range = start..<max(start, end ?? .seconds(1_000_000_000))
        tolerance = min(rate.interval / 4, .milliseconds(3))
    }

    /// Where this round began, in the source's time and in the file's; nil before its first frame.
    var round: (start: Duration, position: Duration)? { first.map { (base, $0) } }

    /// The source's time up to which it has frames.
    var reach: Duration { end }

    /// True when this round has shown a frame.
    var hasShown: Bool { first != nil }

    /// Begins anew behind the latest frame.
    mutating func beginRound() {
        base = end
        (first, last, jump) = (nil, nil, .zero)
    }

    /// Notes that the next frame is not the one behind the latest.
    mutating func interrupt() { last = nil }

    /// Begins anew with the file's first frame, as if nothing had been read.
    mutating func reset() { self = MovieTimes(rate: rate, from: range.lowerBound, to: range.upperBound) }

    /// Finds the place of the next frame.
    ///
    /// - Parameters:
    ///   - time: The file's time of it; nil where it gives none.
    ///   - duration: How long the file wants it to be shown; nil where it does not say.
    /// - Returns: The place.
    mutating func place(_ time: Duration?, _ duration: Duration?) -> Place {
        var length = duration.flatMap { $0 > .zero ? $0 : nil } ?? rate.interval
        var position = position(of: time)
        if let last, position <= last.position {
            // Of the same time as the one before, or a little before it: between that one and the one that follows.
            position = last.position + (last.end - last.position) / 2
            length = last.end - position
        }
        last = (position, position + length)
        if position < range.lowerBound - tolerance { return .before }
        if position >= range.upperBound - tolerance { return .after }
        if first == nil { first = position }
        let offset = snapped(position - (first ?? position))
        // The last frame of a round ends where the grid has the next one.
        end = base + max(snapped(offset + length), offset + .nanoseconds(1))
        return .at(base + offset)
    }

    /// The source's time of a frame of this round, as ``place(_:_:)`` gives it; nil before the round's first frame, and
    /// where the file gives none.
    func offset(of time: Duration?) -> Duration? {
        guard let time, let origin, let first else { return nil }
        return base + snapped(time - origin + jump - first)
    }

    /// True for the first frame of a round that lies behind the beginning of the part, so that others are missing.
    func isBehindStart(_ time: Duration?) -> Bool {
        guard let time, let origin else { return false }
        return time - origin > range.lowerBound + tolerance
    }

    private mutating func position(of time: Duration?) -> Duration {
        let next = last?.end ?? .zero
        guard let time else { return next }
        if origin == nil { origin = time }
        var position = time - (origin ?? time) + jump
        guard let last, position < last.position else { return position }
        if last.position - position < .milliseconds(500) { return position }
        // Times begin anew where pieces were joined.
        jump += next - position
        position = next
        return position
    }

    private func snapped(_ time: Duration) -> Duration {
        let index = Int((time.inSeconds * rate.framesPerSecond).rounded())
        let grid = rate.offset(ofFrame: max(0, index))
        return (grid - tolerance...grid + tolerance).contains(time) ? grid : time
    }
}

extension FrameRate {
    /// The rate of frames at these times, where a file claims none, or another one than its first frames have.
    ///
    /// - Parameters:
    ///   - claimed: The file's claim; nil for none.
    ///   - times: The moments of its first frames.
    /// - Returns: The claim, unless the times are even and clearly of another rate.
    static func measured(_ claimed: FrameRate?, _ times: [Duration]) -> FrameRate {
        let steps = zip(times, times.dropFirst()).map { ($1 - $0).inSeconds }.filter { $0 > 0.001 }.sorted()
        guard let shortest = steps.first, let longest = steps.last, steps.count >= 2 else {
            return claimed ?? FrameRate(30)
        }
        let isEven = longest - shortest < 0.0025
        let step = isEven ? steps.reduce(0, +) / Double(steps.count) : steps[steps.count / 2]
        if let claimed, !isEven || abs(claimed.framesPerSecond * step - 1) < 0.02 { return claimed }
        return near(1 / step)
    }

    /// A usual rate where one is near, since times are rounded.
    private static func near(_ framesPerSecond: Double) -> FrameRate {
        let usual = [
            FrameRate(24000, per: 1001), FrameRate(24), FrameRate(25), FrameRate(30000, per: 1001), FrameRate(30),
            FrameRate(50), FrameRate(60000, per: 1001), FrameRate(60), FrameRate(10), FrameRate(15), FrameRate(12),
            FrameRate(5), FrameRate(20), FrameRate(100), FrameRate(120),
        ]
        let best = usual.min {
            abs($0.framesPerSecond - framesPerSecond) < abs($1.framesPerSecond - framesPerSecond)
        }
        if let best, abs(best.framesPerSecond / framesPerSecond - 1) < 0.01 { return best }
        return FrameRate(max(1, Int((framesPerSecond * 100).rounded())), per: 100)
    }
}
#endif
