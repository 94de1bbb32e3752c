/// Keeps an output's ticks shortly behind the arrival of a camera's frames.
///
/// Each tick then has exactly one new frame while the camera keeps its rate, even if the camera's clock drifts against
/// the system's.
enum PhaseLock {
    /// The delay of ticks behind the arrival of a frame, as a divisor of the period.
    ///
    /// The delay absorbs the camera's jitter.
    private static let lag = 4
    /// The damping, as the divisor of the phase error that one tick corrects: jitter must not move the ticks.
    private static let damping = 8
    /// The largest correction, as a divisor of the period.
    private static let step = 32

    /// The shift of all later ticks: positive makes them later, negative earlier.
    ///
    /// - Parameters:
    ///   - age: The time from the arrival of the newest frame to a tick.
    ///   - period: The time from one tick to the next.
    /// - Returns: The shift; zero when the camera has delivered nothing for a second.
    static func correction(age: Duration, period: Duration) -> Duration {
        guard abs(age.nanoseconds) < 1_000_000_000, period > .zero else { return .zero }
        let whole = period.nanoseconds
        var error = (whole / Int64(lag) - age.nanoseconds) % whole
        // Shift in the direction of the nearer frame.
        if error > whole / 2 { error -= whole }
        if error < -whole / 2 { error += whole }
        let most = whole / Int64(step)
        return .nanoseconds(max(-most, min(error / Int64(damping), most)))
    }
}
