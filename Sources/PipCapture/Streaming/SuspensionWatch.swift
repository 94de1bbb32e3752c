/// Detects suspensions of the machine from the total time that it was suspended since boot.
struct SuspensionWatch {
    /// The shortest suspension to report; a shorter one may be an inaccuracy of the clocks.
    private static let leastSleep = Duration.milliseconds(500)

    /// The total time suspended since boot, at the last report.
    private var known: Duration

    /// - Parameter total: The total time suspended since boot.
    init(_ total: Duration) { known = total }

    /// Compares the total time suspended with the total at the last report.
    ///
    /// - Parameter total: The total time suspended since boot.
    /// - Returns: The length of an unreported suspension; nil for none.
    mutating func newSuspension(_ total: Duration) -> Duration? {
        let slept = total - known
        guard slept >= Self.leastSleep else { return nil }
        known = total
        return slept
    }
}
