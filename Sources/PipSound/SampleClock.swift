package import PipFrames

/// Numbers sound frames at a fixed rate on `CLOCK_MONOTONIC`; frame 0 is at ``start``.
///
/// All sources of a mix share one clock, so that their frames with equal numbers are simultaneous.
package struct SampleClock: Hashable, Sendable {
    /// The time of frame 0.
    package let start: Timestamp
    /// The sample rate.
    ///
    /// Units: hertz.
    package let rate: Int

    /// Creates a clock from the time of frame 0 and the rate in hertz.
    package init(start: Timestamp, rate: Int = AudioFormat.houseRate) {
        self.start = start
        self.rate = rate
    }

    /// The time of a frame, rounded down to the nanosecond.
    ///
    /// Rounding errors do not accumulate.
    package func time(ofFrame frame: Int) -> Timestamp {
        let (seconds, rest) = Self.split(frame, by: rate)
        let nanoseconds = seconds * Self.nanosecondsPerSecond + rest * Self.nanosecondsPerSecond / rate
        return Timestamp(nanoseconds: start.nanoseconds + Int64(nanoseconds))
    }

    /// The number of the first frame at or after a time.
    package func frame(at time: Timestamp) -> Int {
        let (seconds, rest) = Self.split(
            Int(time.nanoseconds - start.nanoseconds), by: Self.nanosecondsPerSecond)
        return seconds * rate + (rest * rate + Self.nanosecondsPerSecond - 1) / Self.nanosecondsPerSecond
    }

    private static let nanosecondsPerSecond = 1_000_000_000

    /// Divides `value` by `unit`, rounded down, with a remainder that is never negative.
    private static func split(_ value: Int, by unit: Int) -> (whole: Int, rest: Int) {
        let (whole, rest) = value.quotientAndRemainder(dividingBy: unit)
        return rest < 0 ? (whole - 1, rest + unit) : (whole, rest)
    }

    /// The seconds from ``start`` to a time.
    func seconds(at time: Timestamp) -> Double { Double(time.nanoseconds - start.nanoseconds) / 1e9 }

    func seconds(ofFrame frame: Int) -> Double { Double(frame) / Double(rate) }
}
