/// One JPEG file a frame.
public struct JPEGFiles: WriterSink {
    public let label: String
    private let quality: Int

    /// - Parameters:
    ///   - pattern: A path with a field for the frame's number: `frames/%05d.jpg`.
    ///   - quality: From 1 (small) to 100 (good).
    public init(_ pattern: String, quality: Int = 90) {
        label = pattern
        self.quality = quality
    }

    func makeWriter() throws(SinkError) -> sending any FrameWriter { try JPEGWriter(path: label, quality: quality) }
}
