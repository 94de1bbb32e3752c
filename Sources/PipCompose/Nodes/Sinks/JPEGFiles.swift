/// Writes each frame to a JPEG file of its own.
public struct JPEGFiles: Sink {
    public let label: String
    private let quality: Int
    private let onFull: DiskPolicy

    /// - Parameters:
    ///   - pattern: A path with a field for the frame's number: `frames/%05d.jpg`.
    ///   - quality: The JPEG quality, from 1 (small files) to 100 (best picture).
    ///   - onFull: The behaviour when the disk is full or failing.
    public init(_ pattern: String, quality: Int = 90, onFull: DiskPolicy = .stop) {
        label = pattern
        self.quality = quality
        self.onFull = onFull
    }

    public var destination: SinkDestination? { .file(label) }

    public var opening: SinkOpening {
        .writer {
            onFull == .wait ? SinkRecovery(path: label, makeWriter: nil) : nil
        } _: {
            () throws(SinkError) in
            try JPEGWriter(path: label, quality: quality)
        }
    }
}
