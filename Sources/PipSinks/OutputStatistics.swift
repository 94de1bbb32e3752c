public import PipFrames

/// The counters and the state of one output, for monitoring it.
public struct OutputStatistics: Sendable, Equatable {
    /// The output's name, or its file's path.
    public var name: String
    /// The number of written frames.
    public var written = 0
    /// The number of frames written again, which keep a file's fixed rate while fewer are made.
    public var repeated = 0
    /// The frames that were offered but not written: `late` when the queue was full, `disabled` after a failure.
    public var drops = DropCounts()
    /// The encoder's own name; nil for an output that encodes nothing.
    public var encoder: String?
    /// The number of connections to a server; 0 for an output without one.
    public var connections = 0
    /// The share of the requested bit rate that the connection permits, 0…1.
    public var bitRateShare = 1.0
    /// The reason why the output has failed or waits; nil while all is well.
    public var error: SinkError?

    package init(name: String) { self.name = name }
}
