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

extension Graph {
    /// The rate limit of each sink with a limit, keyed by node.
    var outputRates: [NodeID: FrameRate] {
        var rates: [NodeID: FrameRate] = [:]
        for id in sinks { rates[id] = sink(id)?.frameRate }
        return rates
    }
}
