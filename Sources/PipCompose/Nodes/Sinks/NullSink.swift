/// Draws and reads back, and writes nothing: for measuring.
public struct NullSink: WriterSink {
    public let label = "null:"
    private let format: PixelFormat

    public init(_ format: PixelFormat = .i420) { self.format = format }

    func makeWriter() throws(SinkError) -> sending any FrameWriter { NullWriter(format: SinkFormat(format)) }
}
