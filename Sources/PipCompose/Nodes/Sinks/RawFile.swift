/// A file of bare frames.
public struct RawFile: WriterSink {
    public let label: String
    private let destination: OutputDestination
    private let onFull: DiskPolicy
    private let format: PixelFormat

    /// - Parameters:
    ///   - path: A file, a named pipe, or `-` for the standard output.
    ///   - format: `nv12`, `i420` or `rgba`.
    ///   - onFull: What it does when the disk is full, or does not take what is written.
    public init(_ path: String, format: PixelFormat, onFull: DiskPolicy = .stop) {
        destination = path == "-" ? .standardOutput : .path(path)
        label = path
        self.format = format
        self.onFull = onFull
    }

    func makeWriter() throws(SinkError) -> sending any FrameWriter {
        RawWriter(destination, format: SinkFormat(format))
    }

    func makeRecovery() -> SinkRecovery? {
        guard onFull == .wait, case .path(let path) = destination else { return nil }
        return SinkRecovery(path: path) { [format] path, interruption throws(SinkError) in
            RawWriter(.path(path), format: SinkFormat(format), interruption: interruption)
        }
    }
}
