/// Writes each frame to a PNG file of its own.
public struct PNGFiles: Sink {
    public let label: String
    private let onFull: DiskPolicy

    /// - Parameters:
    ///   - pattern: A path with a field for the frame's number: `frames/%05d.png`.
    ///   - onFull: The behaviour when the disk is full or failing.
    public init(_ pattern: String, onFull: DiskPolicy = .stop) {
        label = pattern
        self.onFull = onFull
    }

    public var destination: SinkDestination? { .file(label) }

    public var opening: SinkOpening {
        .writer {
            onFull == .wait ? SinkRecovery(path: label, makeWriter: nil) : nil
        } _: {
            () throws(SinkError) in
            try PNGWriter(path: label)
        }
    }
}
