/// Keeps an output's ticks a little behind the frames of a camera.
///
/// Each tick has one new frame then, as long as the camera keeps time, whatever the drift between its clock and ours.
enum PhaseLock {
    /// The lag of ticks behind the arrival of a frame, as a divisor of the period.
    ///
    /// It absorbs the camera's jitter.
    private static let lag = 4
    /// The damping: the divisor of the error that is corrected at once, so that jitter does not move the ticks.
    private static let damping = 8
    /// The largest correction, as a divisor of the period.
    private static let step = 32

    /// The shift of the ticks to come: later when positive, earlier when negative.
    ///
    /// - Parameters:
    ///   - age: The time from the arrival of the newest frame to a tick.
    ///   - period: The time from one tick to the next.
    /// - Returns: The correction; zero beside a camera that has brought nothing for a second.
    static func correction(age: Duration, period: Duration) -> Duration {
        guard abs(age.nanoseconds) < 1_000_000_000, period > .zero else { return .zero }
        let whole = period.nanoseconds
        var error = (whole / Int64(lag) - age.nanoseconds) % whole
        // The shorter way round.
        if error > whole / 2 { error -= whole }
        if error < -whole / 2 { error += whole }
        let most = whole / Int64(step)
        return .nanoseconds(max(-most, min(error / Int64(damping), most)))
    }
}
