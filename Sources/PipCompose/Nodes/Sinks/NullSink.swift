/// Discards all frames after they were drawn and read back, for measurements.
public struct NullSink: Sink {
    public let label = "null:"
    private let format: PixelFormat

    /// - Parameter format: The format in which frames are read back: `nv12`, `i420`, `gray` or `rgba`.
    public init(_ format: PixelFormat = .i420) { self.format = format }

    public var opening: SinkOpening {
        .writer { [format] () throws(SinkError) in NullWriter(request: SinkRequest(format: format)) }
    }
}
