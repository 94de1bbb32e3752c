/// A number of frames per second, as an exact fraction.
public struct FrameRate: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The numerator: the number of frames in ``seconds`` seconds.
    public let frames: Int
    /// The denominator: the number of seconds in which ``frames`` frames are shown.
    public let seconds: Int

    /// Creates a rate of `frames` in `seconds`, reduced to lowest terms.
    ///
    /// Both numbers must be greater than zero.
    public init(_ frames: Int, per seconds: Int = 1) {
        var (a, b) = (frames, seconds)
        while b != 0 { (a, b) = (b, a % b) }
        self.frames = frames / max(a, 1)
        self.seconds = seconds / max(a, 1)
    }

    /// Creates a rate from a decimal number such as 29.97, 12.5 or 30; nil unless the number is above 0 and below
    /// 1,000,000.
    ///
    /// A number within 0.005 of an NTSC rate becomes that rate: 29.97 becomes 30000/1001. Whole numbers stay whole, and
    /// other numbers are rounded to thousandths.
    public init?(_ framesPerSecond: Double) {
        guard framesPerSecond.isFinite, framesPerSecond > 0, framesPerSecond < 1e6 else { return nil }
        let ntsc = (framesPerSecond * 1001 / 1000).rounded()
        let whole = framesPerSecond.rounded()
        if ntsc >= 1, abs(whole - framesPerSecond) > 1e-6, abs(ntsc * 1000 / 1001 - framesPerSecond) < 0.005 {
            self.init(Int(ntsc) * 1000, per: 1001)
        } else {
            self.init(max(1, Int((framesPerSecond * 1000).rounded())), per: 1000)
        }
    }

    /// The rate as a decimal number, such as 29.97.
    public var framesPerSecond: Double { Double(frames) / Double(seconds) }

    /// The time from one frame to the next, rounded down to nanoseconds.
    public var interval: Duration { Self.nanoseconds(seconds, times: 1, over: frames) }

    /// The time at which frame `index` is due, relative to frame 0; rounding errors do not accumulate.
    public func offset(ofFrame index: Int) -> Duration {
        let whole = index / frames
        let rest = index % frames
        return .seconds(whole * seconds) + Self.nanoseconds(seconds, times: rest, over: frames)
    }

    /// The index of the frame that is shown at a time relative to frame 0: the latest frame that is due.
    ///
    /// 0 for negative times.
    public func index(at time: Duration) -> Int {
        let index = Int(Int128(max(0, time.nanoseconds)) * Int128(frames) / (1_000_000_000 * Int128(seconds)))
        // The due time is rounded down, so the next frame may be due already.
        return offset(ofFrame: index + 1) <= time ? index + 1 : index
    }

    /// Computes `seconds · factor / divisor`, rounded down to nanoseconds.
    ///
    /// Uses 128 bits, because drivers' fractions may have large terms.
    private static func nanoseconds(_ seconds: Int, times factor: Int, over divisor: Int) -> Duration {
        .nanoseconds(Int64(Int128(1_000_000_000) * Int128(seconds) * Int128(factor) / Int128(divisor)))
    }

    public static func < (left: FrameRate, right: FrameRate) -> Bool {
        Int128(left.frames) * Int128(right.seconds) < Int128(right.frames) * Int128(left.seconds)
    }

    /// The rate with at most two decimals: `30`, `12.5` or `29.97`.
    public var description: String {
        if frames % seconds == 0 { return "\(frames / seconds)" }
        let hundredths = Int((framesPerSecond * 100).rounded())
        return hundredths % 100 == 0 ? "\(hundredths / 100)" : "\(Double(hundredths) / 100)"
    }
}
