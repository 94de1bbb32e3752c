#if Media
public import PipCompose
public import PipFrames

/// A time-lapse: a movie of one picture in each interval, which plays them one after the other.
///
/// ```swift
/// let timeLapse = TimeLapse(every: .seconds(10))
/// picture --> MovieFile("site-%Y%m%d.mp4", segments: .duration(.seconds(60)), timeLapse: timeLapse)
/// ```
///
/// Picture n is shown at n / ``frameRate``. Lengths of files and of the key frame interval are times of the movie.
/// A time-lapse has no sound, and no clips.
public struct TimeLapse: Sendable, Hashable {
    /// The time from one picture to the next, from one frame of the movie to 365 days.
    ///
    /// Picture k is the first frame at or after k intervals since the first picture.
    public var every: Duration
    /// The pictures a second at which the movie plays.
    public var frameRate: FrameRate
    /// The condition that a picture must meet to be taken; nil takes each picture.
    public var condition: PictureCondition?

    /// The longest interval.
    private static let longest = Duration.seconds(365 * 86_400)
    /// The longest real time that a fragment of a file may hold, unless a single picture takes longer.
    private static let longestFragment = Duration.seconds(20)

    /// Creates a time-lapse.
    ///
    /// - Parameters:
    ///   - interval: The time from one picture to the next, from one frame of the movie to 365 days.
    ///   - frameRate: The pictures a second at which the movie plays.
    ///   - condition: The condition that a picture must meet. Nil takes each picture.
    public init(every interval: Duration, frameRate: FrameRate = FrameRate(25), when condition: PictureCondition? = nil)
    {
        every = interval
        self.frameRate = frameRate
        self.condition = condition
    }

    /// Creates a time-lapse that plays at a multiple of the real speed.
    ///
    /// - Parameters:
    ///   - speedUp: The speed of the movie, at least 1, which is the real speed.
    ///   - frameRate: The pictures a second at which the movie plays.
    ///   - condition: The condition that a picture must meet. Nil takes each picture.
    public init(speedUp: Double, frameRate: FrameRate = FrameRate(25), when condition: PictureCondition? = nil) {
        let seconds = speedUp * Double(frameRate.seconds) / Double(frameRate.frames)
        // Beyond the longest interval, the exact value does not matter.
        let limited = min(seconds, Self.longest.inSeconds * 2)
        self.init(
            every: limited > 0 ? .nanoseconds(Int64((limited * 1e9).rounded(.down))) : .zero, frameRate: frameRate,
            when: condition)
    }

    /// The first invalid setting, as a sentence without its full stop; nil for a valid time-lapse.
    package var mistake: String? {
        if every < frameRate.interval {
            return "a picture every \(every) is more often than the movie's \(frameRate) frames a second: a time-lapse "
                + "cannot be slower than life"
        }
        if every > Self.longest { return "a picture every \(every) is too rare: the interval must be at most 365 days" }
        return nil
    }

    /// The play time of a file's fragments, so that a power cut loses little real time.
    ///
    /// Below one picture, each picture is a fragment of its own.
    var fragment: Duration {
        let usual = MovieContainer.usualFragment
        let share = Self.longestFragment / every
        return min(usual, max(.milliseconds(1), frameRate.interval * share))
    }
}
#endif
