public import PipFrames

/// The counters and the state of one output, for monitoring.
public struct OutputStatistics: Sendable, Equatable {
    /// The output's name, or its file's path.
    public var name: String
    /// The number of written frames, or of a WAV file's blocks, without the ``repeated`` frames.
    public var written = 0
    /// The number of frames written again, in place of omitted ones, to keep a file's fixed rate.
    public var repeated = 0
    /// The numbers of dropped frames: `late` when the output was too slow, `disabled` when the output was unavailable
    /// or had ended.
    public var drops = DropCounts()
    /// The name of the encoder; nil for an output without an encoder.
    public var encoder: String?
    /// The number of connections to a server that were made so far; 0 for an output without a server.
    public var connections = 0
    /// The present share of the requested bit rate, 0…1; below 1 while the connection is too slow for the whole rate.
    public var bitRateShare = 1.0
    /// The reason why the output has failed or waits; nil while the output writes frames.
    public var error: SinkError?

    package init(name: String) { self.name = name }
}
