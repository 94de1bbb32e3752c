internal import PipFrames

/// Values that were recorded before, with their times in the output.
package struct RecordedValues: Sendable {
    /// The values of one moment.
    package struct Entry: Sendable {
        /// The time since the output's start; negative before it.
        package let time: Duration
        package let values: [String: Telemetry.Value]
        /// The time for which the values count as present.
        package let validity: Duration

        /// The largest time before and after the output's start, thirty years, which timestamps can hold.
        private static let farthest = Duration.seconds(1_000_000_000)

        package init(_ values: [String: Telemetry.Value], at time: Duration, lasting validity: Duration) {
            self.time = max(.zero - Self.farthest, min(Self.farthest, time))
            (self.values, self.validity) = (values, validity)
        }
    }

    fileprivate let entries: [Entry]

    package init(_ entries: [Entry]) { self.entries = entries.sorted { $0.time < $1.time } }
}

/// The readings of recorded values at a time that goes on.
///
/// The times of readings are counted from the output's start.
struct RecordedReadings {
    private let recorded: RecordedValues
    private(set) var readings = Telemetry.Readings()
    /// The number of entries whose time has come.
    private var count = 0

    init(_ recorded: RecordedValues) { self.recorded = recorded }

    /// Adds the values whose time has come.
    ///
    /// - Returns: True when there are any.
    mutating func follow(to time: Duration) -> Bool {
        let entries = recorded.entries[count...].prefix { $0.time <= time }
        count = entries.endIndex
        for entry in entries {
            readings.take(entry.values, lasting: entry.validity, at: .zero.advanced(by: entry.time))
        }
        return !entries.isEmpty
    }
}
