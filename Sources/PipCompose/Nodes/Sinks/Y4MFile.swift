/// Writes frames as a Y4M stream in 4:2:0.
public struct Y4MFile: Sink {
    public let label: String
    private let output: OutputDestination
    private let onFull: DiskPolicy

    /// - Parameters:
    ///   - path: A file, a named pipe, or `-` for the standard output.
    ///   - onFull: The behaviour when the disk is full or failing.
    public init(_ path: String, onFull: DiskPolicy = .stop) {
        output = path == "-" ? .standardOutput : .path(path)
        label = path
        self.onFull = onFull
    }

    public var destination: SinkDestination? { .file(label) }

    public var opening: SinkOpening {
        .writer {
            guard onFull == .wait, case .path(let path) = output else { return nil }
            return SinkRecovery(path: path) { path, interruption throws(SinkError) in
                try Y4MWriter(.path(path), interruption: interruption)
            }
        } _: {
            () throws(SinkError) in
            try Y4MWriter(output)
        }
    }
}
