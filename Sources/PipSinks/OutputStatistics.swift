public import PipFrames

/// The counts of one output.
public struct OutputStatistics: Sendable, Equatable {
    /// The output's name: its file's path, for one that has a file.
    public var name: String
    /// Frames that were written.
    public var written = 0
    /// Frames that were written once more, to keep a file's fixed rate while fewer were made.
    public var repeated = 0
    /// Frames that were given to the output but not written: `late` where its queue was full, `disabled` after it had
    /// failed.
    public var drops = DropCounts()
    /// The encoder at work, by its own name; nil for an output that encodes nothing.
    public var encoder: String?
    /// How often a server was connected to; 0 for an output that goes to none.
    public var connections = 0
    /// The share of its bit rate that is sent, by what the way to the server takes: 1 for all.
    public var bitRateShare = 1.0
    /// Why the output has failed, or waits; nil while all is well.
    public var error: SinkError?

    package init(name: String) { self.name = name }
}
