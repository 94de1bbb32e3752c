internal import Glibc
internal import PipFrames

/// Takes gravity, and whatever else lasts, out of the readings of an accelerometer.
///
/// A filter of the first order follows the readings slowly, and the difference to it is the acceleration. So any
/// mounting, and any slope of the road, is at rest after a few seconds. A blow of a tenth of a second hardly changes.
struct GravityFilter {
    /// The filter's time constant.
    private static let period = Duration.seconds(5)

    private var rest: SIMD3<Double>?
    private var last = Timestamp.zero

    /// Takes a reading, the first of which counts as rest.
    ///
    /// - Returns: The reading without gravity, in the same unit.
    mutating func take(_ reading: SIMD3<Double>, at time: Timestamp) -> SIMD3<Double> {
        guard let before = rest else {
            (rest, last) = (reading, time)
            return .zero
        }
        let share = 1 - exp(-max(0, last.duration(to: time).inSeconds) / Self.period.inSeconds)
        last = time
        rest = before + (reading - before) * share
        return reading - before
    }
}
