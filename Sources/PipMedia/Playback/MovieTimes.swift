#if Media
internal import PipFrames

/// The times at which a movie's frames are shown, computed from the times in the file.
///
/// Containers round times to their own units, to a millisecond in Matroska. A frame whose time is that near to the grid
/// of the file's rate is moved to the grid. An output of the same rate then shows each frame once.
struct MovieTimes {
    /// A frame's position relative to the shown part.
    enum Place: Equatable {
        /// The frame lies before the part.
        case before
        /// The frame lies in the part, at a time since the source's start.
        case at(Duration)
        /// The frame lies after the part.
        case after
    }

    let rate: FrameRate
    private let range: Range<Duration>
    private let tolerance: Duration
    /// The time in the file of its first frame.
    private var origin: Duration?
    /// The source's time at the beginning of this round.
    private var base = Duration.zero
    /// The position of this round's first frame.
    private var first: Duration?
    /// The position of the latest frame, and the end of the latest frame whose position exceeded all before it.
    private var last: (position: Duration, end: Duration)?
    /// The offset that is added to the file's times since they last started again.
    private var jump = Duration.zero
    /// The source's time at the end of the latest frame.
    private var end = Duration.zero

    /// - Parameters:
    ///   - rate: The file's rate.
    ///   - start: The beginning of the shown part.
    ///   - end: The end of the shown part. Nil for the end of the file.
    init(rate: FrameRate, from start: Duration = .zero, to end: Duration? = nil) {
        self.rate = rate
        range = start..<max(start, end ?? .seconds(1_000_000_000))
        tolerance = min(rate.interval / 4, .milliseconds(3))
    }

    /// The beginning of this round, in the source's time and in the file's; nil before the round's first frame.
    var round: (start: Duration, position: Duration)? { first.map { (base, $0) } }

    /// The source's time up to which it has frames.
    var reach: Duration { end }

    /// True when this round has shown a frame.
    var hasShown: Bool { first != nil }

    /// Begins the next round after the latest frame.
    mutating func beginRound() {
        base = end
        (first, last, jump) = (nil, nil, .zero)
    }

    /// Notes that the next frame does not follow the latest one.
    mutating func interrupt() { last = nil }

    /// Forgets all frames; the next frame is the file's first.
    mutating func reset() { self = MovieTimes(rate: rate, from: range.lowerBound, to: range.upperBound) }

    /// Finds the place of the next frame.
    ///
    /// - Parameters:
    ///   - time: The file's time of the frame. Nil where the file gives none.
    ///   - duration: The duration that the file gives the frame. Nil where the file gives none.
    /// - Returns: The place.
    mutating func place(_ time: Duration?, _ duration: Duration?) -> Place {
        var length = duration.flatMap { $0 > .zero ? $0 : nil } ?? rate.interval
        var position = position(of: time)
        if let last, position <= last.position {
            // The frame is at the previous frame's time, or a little earlier: place it between that one and the next.
            position = last.position + (last.end - last.position) / 2
            length = last.end - position
        }
        last = (position, position + length)
        if position < range.lowerBound - tolerance { return .before }
        if position >= range.upperBound - tolerance { return .after }
        if first == nil { first = position }
        let offset = snapped(position - (first ?? position))
        // The last frame of a round ends at the grid's next frame.
        end = base + max(snapped(offset + length), offset + .nanoseconds(1))
        return .at(base + offset)
    }

    /// The source's time of a frame of this round, the same as from ``place(_:_:)``; nil before the round's first
    /// frame, and where the file gives no time.
    func offset(of time: Duration?) -> Duration? {
        guard let time, let origin, let first else { return nil }
        return base + snapped(time - origin + jump - first)
    }

    /// True for the first frame of a round that lies after the beginning of the part, so that earlier frames are
    /// missing.
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
        // Times start again where pieces were joined.
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
    /// The rate of frames at given times.
    ///
    /// The times matter where a file claims no rate, or a rate that its first frames contradict.
    ///
    /// - Parameters:
    ///   - claimed: The rate that the file claims. Nil for none.
    ///   - times: The times of the file's first frames.
    /// - Returns: The claimed rate, unless the times are even and clearly of another rate.
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

    /// The nearest common rate within one percent, since times are rounded; the rate itself where none is that near.
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
