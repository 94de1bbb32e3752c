/// Tells by two clocks, one of which stands still meanwhile, whether the machine has slept.
struct SuspensionWatch {
    /// The shortest suspension that is not an artefact of the clocks.
    private static let leastSleep = Duration.milliseconds(500)

    /// The time suspended since boot, at the last sleep.
    private var known: Duration

    /// - Parameter total: The time suspended since boot, now.
    init(_ total: Duration) { known = total }

    /// Compares the time suspended with that of the last sleep.
    ///
    /// - Parameter total: The time suspended since boot, now.
    /// - Returns: The length of a sleep that was not told before; nil for none.
    mutating func sleep(_ total: Duration) -> Duration? {
        let slept = total - known
        guard slept >= Self.leastSleep else { return nil }
        known = total
        return slept
    }
}
