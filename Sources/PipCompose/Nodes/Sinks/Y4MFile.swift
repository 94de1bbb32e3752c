/// A Y4M stream, 4:2:0.
public struct Y4MFile: WriterSink {
    public let label: String
    private let destination: OutputDestination

    /// - Parameter path: A file, a named pipe, or `-` for the standard output.
    public init(_ path: String) {
        destination = path == "-" ? .standardOutput : .path(path)
        label = path
    }

    func makeWriter() throws(SinkError) -> sending any FrameWriter { try Y4MWriter(destination) }
}
