/// Turns a driver's 32-bit sequence numbers into a count of frames from 0 that never wraps, repeats or goes back.
struct SequenceTracker {
    /// The largest step that counts as lost frames; a larger one is a restart of the driver's count.
    private static let longestGap = UInt32(100_000)

    private var lastDriver: UInt32?
    /// The number of the latest frame; nil before the first.
    private(set) var last: UInt64?

    /// Counts a frame in.
    ///
    /// - Returns: Its number, and how many frames before it were lost.
    mutating func next(_ driver: UInt32) -> (sequence: UInt64, lost: Int) {
        defer { lastDriver = driver }
        guard let last else {
            self.last = 0
            return (0, 0)
        }
        // Wraps at 2^32 without being noticed. A number that repeats or goes back is a frame all the same.
        let step = lastDriver.map { driver &- $0 } ?? 1
        let lost = step >= 1 && step <= Self.longestGap ? Int(step - 1) : 0
        let sequence = last + UInt64(lost) + 1
        self.last = sequence
        return (sequence, lost)
    }

    /// Expects the driver's count to begin anew, as it does when a stream is started again.
    mutating func streamRestarted() { lastDriver = nil }
}
