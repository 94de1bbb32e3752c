/// Converts a driver's 32-bit sequence numbers into a count of frames from 0 that never wraps, repeats or goes back.
struct SequenceTracker {
    /// The largest step that counts as lost frames; a larger step means that the driver restarted its count.
    private static let longestGap = UInt32(100_000)

    private var lastDriver: UInt32?
    /// The number of the latest frame; nil before the first frame.
    private(set) var last: UInt64?

    /// Counts a frame.
    ///
    /// - Returns: The frame's number, and the number of frames lost before it.
    mutating func next(_ driver: UInt32) -> (sequence: UInt64, lost: Int) {
        defer { lastDriver = driver }
        guard let last else {
            self.last = 0
            return (0, 0)
        }
        // Wrapping arithmetic handles the overflow at 2^32. A frame counts even if its number repeats or goes back.
        let step = lastDriver.map { driver &- $0 } ?? 1
        let lost = step >= 1 && step <= Self.longestGap ? Int(step - 1) : 0
        let sequence = last + UInt64(lost) + 1
        self.last = sequence
        return (sequence, lost)
    }

    /// Prepares for a restarted stream, whose driver counts from 0 again.
    mutating func streamRestarted() { lastDriver = nil }
}
