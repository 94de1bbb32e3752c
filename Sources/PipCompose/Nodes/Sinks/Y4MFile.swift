/// A Y4M stream, 4:2:0.
public struct Y4MFile: WriterSink {
    public let label: String
    private let destination: OutputDestination
    private let onFull: DiskPolicy

    /// - Parameters:
    ///   - path: A file, a named pipe, or `-` for the standard output.
    ///   - onFull: What it does when the disk is full, or does not take what is written.
    public init(_ path: String, onFull: DiskPolicy = .stop) {
        destination = path == "-" ? .standardOutput : .path(path)
        label = path
        self.onFull = onFull
    }

    func makeWriter() throws(SinkError) -> sending any FrameWriter { try Y4MWriter(destination) }

    func makeRecovery() -> SinkRecovery? {
        guard onFull == .wait, case .path(let path) = destination else { return nil }
        return SinkRecovery(path: path) { path, interruption throws(SinkError) in
            try Y4MWriter(.path(path), interruption: interruption)
        }
    }
}
