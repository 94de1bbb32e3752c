/// The moments at which an output of a lower rate than the session's gets a frame: spread evenly over the session's
/// moments.
struct OutputGate: Equatable {
    private let share: Int
    private let whole: Int

    /// Nil for a rate that is not lower than the session's.
    init?(_ rate: FrameRate, of session: FrameRate) {
        guard rate < session else { return nil }
        share = rate.frames * session.seconds
        whole = rate.seconds * session.frames
    }

    /// True when a frame is due at a moment.
    ///
    /// - Parameters:
    ///   - tick: The moment, counted from 0.
    ///   - drawn: The latest moment before it that got a frame; the output's own moments between are made up for here.
    /// - Returns: True when it is.
    func isOpen(at tick: Int, after drawn: Int) -> Bool { count(upTo: tick) > count(upTo: drawn) }

    /// How many of the output's moments before a moment, at which it gets a frame, were left out on purpose.
    func repeats(at tick: Int, after thinned: Int) -> Int {
        max(0, count(upTo: tick) - count(upTo: tick - 1 - thinned) - 1)
    }

    /// The output's moments up to and with a moment; moment 0 is one of them.
    private func count(upTo tick: Int) -> Int { tick < 0 ? 0 : tick * share / whole + 1 }
}

extension Graph {
    /// The most frames a second of each sink that has a rate of its own.
    var outputRates: [NodeID: FrameRate] {
        var rates: [NodeID: FrameRate] = [:]
        for id in sinks { rates[id] = sink(id)?.frameRate }
        return rates
    }
}
