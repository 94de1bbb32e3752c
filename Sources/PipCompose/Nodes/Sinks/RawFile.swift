/// A file of bare frames.
public struct RawFile: WriterSink {
    public let label: String
    private let destination: OutputDestination
    private let format: PixelFormat

    /// - Parameters:
    ///   - path: A file, a named pipe, or `-` for the standard output.
    ///   - format: `nv12`, `i420` or `rgba`.
    public init(_ path: String, format: PixelFormat) {
        destination = path == "-" ? .standardOutput : .path(path)
        label = path
        self.format = format
    }

    func makeWriter() throws(SinkError) -> sending any FrameWriter {
        RawWriter(destination, format: SinkFormat(format))
    }
}
