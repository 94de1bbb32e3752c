/// The wait before the next attempt to reach a peer, which doubles with each attempt up to a limit.
package struct BackOff: Sendable, Equatable {
    private let first: Duration
    private let longest: Duration
    private var wait: Duration

    /// Creates a back-off whose first wait is `first`, and whose waits do not exceed `longest`.
    package init(from first: Duration, upTo longest: Duration) {
        (self.first, self.longest, wait) = (first, longest, first)
    }

    /// The back-off of live sources: from half a second to eight seconds.
    package static let ofSources = BackOff(from: .milliseconds(500), upTo: .seconds(8))
    /// The back-off of publishers: from a second to half a minute.
    package static let ofPublishers = BackOff(from: .seconds(1), upTo: .seconds(30))

    /// Returns the wait before the next attempt, and doubles the wait after that, up to the limit.
    package mutating func next() -> Duration {
        defer { wait = min(wait * 2, longest) }
        return wait
    }

    /// Returns to the shortest wait; call this method after a successful attempt.
    package mutating func reset() { wait = first }
}
