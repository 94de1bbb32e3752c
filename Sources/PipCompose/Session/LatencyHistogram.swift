/// A histogram of the latencies of composed frames since the session's start.
///
/// A latency is the time from the timestamp of the newest camera frame in a composed frame to the composed frame's
/// delivery.
package struct LatencyHistogram: Sendable, Equatable {
    /// The upper bound of each bucket, inclusive.
    ///
    /// One more bucket counts all longer latencies.
    package static let bounds: [Duration] = [5, 10, 20, 35, 50, 75, 100, 150, 250, 500, 1000, 2500]
        .map { .milliseconds($0) }

    /// The number of latencies in each bucket: a count for each bound, and a count of longer latencies.
    package private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    /// The sum of all latencies.
    package private(set) var sum = Duration.zero

    package init() {}

    /// The number of latencies in all buckets together.
    package var count: Int { counts.reduce(0, +) }

    /// Counts a latency, without allocating memory.
    package mutating func add(_ latency: Duration) {
        counts[Self.bounds.firstIndex { latency <= $0 } ?? Self.bounds.count] += 1
        sum += latency
    }
}
