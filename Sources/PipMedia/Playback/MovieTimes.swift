#if Media
internal import PipFrames

/// Computes the times at which a movie's frames are shown from the timestamps in the file.
///
/// Containers round timestamps to their own units: a millisecond in Matroska. A timestamp within that rounding of a
/// frame time at the file's rate is moved to the frame time. An output of the same rate then shows each frame once.
///
/// The movie's time counts from its start, over all rounds. A position counts from the file's first frame.
struct MovieTimes {
    /// A frame's position relative to the part to show.
    enum Place: Equatable {
        /// The frame precedes the part.
        case before
        /// The frame belongs to the part; the value is its time since the movie's start.
        case at(Duration)
        /// The frame follows the part.
        case after
    }

    let rate: FrameRate
    private let range: Range<Duration>
    private let tolerance: Duration
    /// The timestamp of the file's first frame; nil before that frame.
    private var origin: Duration?
    /// The movie's time at the beginning of the current round.
    private var base = Duration.zero
    /// The position of the current round's first frame; nil before that frame.
    private var first: Duration?
    /// The position and the end of the latest frame in the current round; nil before the first, and after
    /// ``interrupt()``.
    private var last: (position: Duration, end: Duration)?
    /// The sum of the corrections for timestamps that started again within the file.
    private var jump = Duration.zero
    /// The movie's time at the end of the latest frame.
    private var end = Duration.zero

    /// Creates the times of a file.
    ///
    /// - Parameters:
    ///   - rate: The file's frame rate.
    ///   - start: The beginning of the part to show, in the file's time.
    ///   - end: The end of the part to show. Nil to show the file to its end.
    init(rate: FrameRate, from start: Duration = .zero, to end: Duration? = nil) {
        self.rate = rate
        range = start..<max(start, end ?? .seconds(1_000_000_000))
        tolerance = min(rate.interval / 4, .milliseconds(3))
    }

    /// The beginning of the current round: the movie's time and the position; nil before the round's first frame.
    var round: (start: Duration, position: Duration)? { first.map { (base, $0) } }

    /// The movie's time at the end of the latest frame.
    var reach: Duration { end }

    /// True when the current round has shown a frame.
    var hasShown: Bool { first != nil }

    /// Begins the next round at the end of the latest frame.
    mutating func beginRound() {
        base = end
        (first, last, jump) = (nil, nil, .zero)
    }

    /// Forgets the latest frame: the next frame does not follow it.
    mutating func interrupt() { last = nil }

    /// Forgets all frames.
    ///
    /// The next frame must be the file's first frame.
    mutating func reset() { self = MovieTimes(rate: rate, from: range.lowerBound, to: range.upperBound) }

    /// Computes the next frame's position relative to the part to show.
    ///
    /// - Parameters:
    ///   - time: The frame's timestamp. Nil when the file gives none.
    ///   - duration: The frame's duration. Nil when the file gives none.
    /// - Returns: The frame's place, before, in or after the part.
    mutating func place(_ time: Duration?, _ duration: Duration?) -> Place {
        var length = duration.flatMap { $0 > .zero ? $0 : nil } ?? rate.interval
        var position = position(of: time)
        if let last, position <= last.position {
            // The timestamp is not after the latest frame's timestamp: put the frame in the middle of the latest
            // frame's duration.
            position = last.position + (last.end - last.position) / 2
            length = last.end - position
        }
        last = (position, position + length)
        if position < range.lowerBound - tolerance { return .before }
        if position >= range.upperBound - tolerance { return .after }
        if first == nil { first = position }
        let offset = snapped(position - (first ?? position))
        // The end is snapped, too, because the next round begins at the end of the last frame.
        end = base + max(snapped(offset + length), offset + .nanoseconds(1))
        return .at(base + offset)
    }

    /// The movie's time of a frame in the current round; nil before the round's first frame, and without a timestamp.
    func offset(of time: Duration?) -> Duration? {
        guard let time, let origin, let first else { return nil }
        return base + snapped(time - origin + jump - first)
    }

    /// True when the first frame after a seek is later than the part's beginning, so that earlier frames are missing.
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
        // Timestamps start again where recordings were joined.
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
    /// Measures the rate of frames.
    ///
    /// The timestamps matter when the file states no rate, or one that its first frames contradict.
    ///
    /// - Parameters:
    ///   - claimed: The rate that the file states. Nil for none.
    ///   - times: The timestamps of the file's first frames.
    /// - Returns: The stated rate, unless the timestamps are even and clearly of another rate. Without a stated rate,
    ///   the measured rate, or 30 frames a second for too few timestamps.
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

    /// Returns the nearest common rate within one percent, because timestamps are rounded; the measured rate if no
    /// common rate is near.
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
