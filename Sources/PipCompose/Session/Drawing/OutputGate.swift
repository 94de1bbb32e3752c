/// Selects the session's ticks at which an output of a lower rate gets a frame, evenly spaced.
struct OutputGate: Equatable {
    private let share: Int
    private let whole: Int

    /// Nil when the output's rate is not lower than the session's.
    init?(_ rate: FrameRate, of session: FrameRate) {
        guard rate < session else { return nil }
        share = rate.frames * session.seconds
        whole = rate.seconds * session.frames
    }

    /// True when the output is due for a frame at a tick of the session.
    ///
    /// - Parameters:
    ///   - tick: The session's tick.
    ///   - drawn: The latest earlier tick that got a frame. An output tick after `drawn`, and not after `tick`, makes
    ///     the output due at `tick`.
    /// - Returns: True when the output is due.
    func isOpen(at tick: Int, after drawn: Int) -> Bool { count(upTo: tick) > count(upTo: drawn) }

    /// The number of output ticks that were left out on purpose before the frame at `tick`.
    func repeats(at tick: Int, after thinned: Int) -> Int {
        max(0, count(upTo: tick) - count(upTo: tick - 1 - thinned) - 1)
    }

    /// The number of output ticks up to and including a tick of the session.
    private func count(upTo tick: Int) -> Int { tick < 0 ? 0 : tick * share / whole + 1 }
}

/// Selects the frames of an output that takes one frame in each interval.
///
/// Frame k is the first one at or after k intervals since the output's first frame. The times come from the clock and
/// not from counted ticks, which may follow a camera's clock.
///
/// Thread: render thread only.
final class IntervalGate {
    let interval: Duration
    /// The time of the first frame that the gate has seen; nil before that frame.
    private var start: Timestamp?
    /// The number of due times up to the latest taken frame.
    private var taken = 0

    init(_ interval: Duration) { self.interval = interval }

    /// True when the output is due for a frame at a time.
    func isOpen(at time: Timestamp) -> Bool { count(upTo: time) > taken }

    /// Records that the output takes a frame.
    ///
    /// - Returns: The number of due times before the frame that have passed without a frame.
    func take(at time: Timestamp) -> Int {
        let count = count(upTo: time)
        defer { taken = count }
        return max(0, count - taken - 1)
    }

    /// The number of due times up to and including a time.
    private func count(upTo time: Timestamp) -> Int {
        let start = start ?? time
        self.start = start
        return Int(start.duration(to: time).nanoseconds / max(1, interval.nanoseconds)) + 1
    }
}

extension Graph {
    /// Makes the gates of the sinks that take one frame in each interval, keyed by node.
    ///
    /// - Parameter former: The gates of the former graph, which continue.
    /// - Returns: The gates.
    func intervalGates(keeping former: [NodeID: IntervalGate]) -> [NodeID: IntervalGate] {
        var gates: [NodeID: IntervalGate] = [:]
        for id in sinks {
            guard let interval = sink(id)?.interval else { continue }
            gates[id] = former[id] ?? IntervalGate(interval)
        }
        return gates
    }

    /// The rate limit of each sink with a limit, keyed by node.
    var outputRates: [NodeID: FrameRate] {
        var rates: [NodeID: FrameRate] = [:]
        for id in sinks { rates[id] = sink(id)?.frameRate }
        return rates
    }
}
