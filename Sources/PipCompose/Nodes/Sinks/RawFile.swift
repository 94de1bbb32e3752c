/// Writes frames one after the other to a file without headers.
public struct RawFile: Sink {
    public let label: String
    private let output: OutputDestination
    private let onFull: DiskPolicy
    private let format: PixelFormat

    /// - Parameters:
    ///   - path: A file, a named pipe, or `-` for the standard output.
    ///   - format: The frames' pixel format: `nv12`, `i420`, `gray` or `rgba`.
    ///   - onFull: The behaviour when the disk is full or failing.
    public init(_ path: String, format: PixelFormat, onFull: DiskPolicy = .stop) {
        output = path == "-" ? .standardOutput : .path(path)
        label = path
        self.format = format
        self.onFull = onFull
    }

    public var destination: SinkDestination? { .file(label) }

    public var opening: SinkOpening {
        .writer {
            guard onFull == .wait, case .path(let path) = output else { return nil }
            return SinkRecovery(path: path) { path, interruption throws(SinkError) in
                RawWriter(.path(path), request: SinkRequest(format: format), interruption: interruption)
            }
        } _: {
            () throws(SinkError) in
            RawWriter(output, request: SinkRequest(format: format))
        }
    }
}
