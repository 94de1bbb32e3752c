/// One PNG file a frame.
public struct PNGFiles: WriterSink {
    public let label: String

    /// - Parameter pattern: A path with a field for the frame's number: `frames/%05d.png`.
    public init(_ pattern: String) { label = pattern }

    func makeWriter() throws(SinkError) -> sending any FrameWriter { try PNGWriter(path: label) }
}
