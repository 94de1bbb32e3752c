/// Keeps an output's moments a little behind the frames of a camera.
///
/// So each has one new frame as long as the camera keeps time, however its clock and ours differ.
enum PhaseLock {
    /// The part of a period by which moments lie behind the arrival of a frame: cameras' frames come early and late.
    private static let lag = 4
    /// The part of an error that is made good at once: what comes early or late does not move the moments along.
    private static let damping = 8
    /// The part of a period by which a moment is moved at most.
    private static let step = 32

    /// How much later the moments to come are to be, or earlier where it is negative.
    ///
    /// - Parameters:
    ///   - age: The time from the arrival of the newest frame to a moment.
    ///   - period: From one moment to the next.
    /// - Returns: The correction; zero beside a camera that has brought nothing for a second.
    static func correction(age: Duration, period: Duration) -> Duration {
        guard abs(age.nanoseconds) < 1_000_000_000, period > .zero else { return .zero }
        let whole = period.nanoseconds
        var error = (whole / Int64(lag) - age.nanoseconds) % whole
        // By the shorter way.
        if error > whole / 2 { error -= whole }
        if error < -whole / 2 { error += whole }
        let most = whole / Int64(step)
        return .nanoseconds(max(-most, min(error / Int64(damping), most)))
    }
}
