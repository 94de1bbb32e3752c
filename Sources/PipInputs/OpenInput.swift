internal import PipFrames

/// An open device, read by the thread of an ``InputReader``.
protocol OpenInput {
    /// The descriptors that become readable with an event.
    var descriptors: [CInt] { get }

    /// The time from one reading to the next when no event comes; nil for a device that is read at events only.
    var interval: Duration? { get }

    /// The reason why a part of what was requested is not read; nil when nothing is missing.
    var missing: InputProblem? { get }

    /// Reads everything that is pending, without waiting.
    ///
    /// - Throws: The reason why the device must be opened again.
    mutating func read(at now: Timestamp, _ take: (InputReading, Timestamp) -> Void) throws(InputProblem)
}
