package import PipFrames

/// A numbering of sound frames on `CLOCK_MONOTONIC`: frame 0 is at the start, and each next one a period later.
///
/// All microphones of a mix share one clock, so that their frames coincide.
package struct SampleClock: Hashable, Sendable {
    /// The time of frame 0.
    package let start: Timestamp
    /// The sample rate.
    ///
    /// Units: hertz.
    package let rate: Int

    /// A clock by its start and its rate in hertz.
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

    /// The whole units in a number, rounded down, and the non-negative remainder.
    private static func split(_ value: Int, by unit: Int) -> (whole: Int, rest: Int) {
        let (whole, rest) = value.quotientAndRemainder(dividingBy: unit)
        return rest < 0 ? (whole - 1, rest + unit) : (whole, rest)
    }

    /// The seconds from the start to a time, and to a frame.
    func seconds(at time: Timestamp) -> Double { Double(time.nanoseconds - start.nanoseconds) / 1e9 }

    func seconds(ofFrame frame: Int) -> Double { Double(frame) / Double(rate) }
}
