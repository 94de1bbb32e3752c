/// Detects that the machine was suspended, by the time that it has spent so since boot.
struct SuspensionWatch {
    /// The shortest suspension that is no artefact of the clocks.
    private static let leastSleep = Duration.milliseconds(500)

    /// The time suspended since boot, at the last report.
    private var known: Duration

    /// - Parameter total: The present time suspended since boot.
    init(_ total: Duration) { known = total }

    /// Compares the time suspended with that of the last report.
    ///
    /// - Parameter total: The present time suspended since boot.
    /// - Returns: The length of an unreported suspension; nil for none.
    mutating func newSuspension(_ total: Duration) -> Duration? {
        let slept = total - known
        guard slept >= Self.leastSleep else { return nil }
        known = total
        return slept
    }
}
