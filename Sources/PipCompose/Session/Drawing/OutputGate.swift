/// The ticks at which an output of a lower rate than the session's gets a frame, spread evenly.
struct OutputGate: Equatable {
    private let share: Int
    private let whole: Int

    /// Nil for a rate that is not lower than the session's.
    init?(_ rate: FrameRate, of session: FrameRate) {
        guard rate < session else { return nil }
        share = rate.frames * session.seconds
        whole = rate.seconds * session.frames
    }

    /// Tells whether a frame is due at a tick.
    ///
    /// - Parameters:
    ///   - tick: The session's tick.
    ///   - drawn: The latest tick before it that got a frame. The output's ticks in between are made up for here.
    /// - Returns: True when it is.
    func isOpen(at tick: Int, after drawn: Int) -> Bool { count(upTo: tick) > count(upTo: drawn) }

    /// The number of the output's ticks before a frame that were left out on purpose.
    func repeats(at tick: Int, after thinned: Int) -> Int {
        max(0, count(upTo: tick) - count(upTo: tick - 1 - thinned) - 1)
    }

    /// The number of the output's ticks up to and including a tick of the session.
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
