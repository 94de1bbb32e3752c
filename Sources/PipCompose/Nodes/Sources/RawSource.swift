/// A file of frames without headers, one after the other.
public final class RawSource: FrameProducer {
    public let node: GraphNode

    /// - Parameters:
    ///   - path: A file, a named pipe, or `-` for the standard input.
    ///   - format: The pixel format of all frames.
    ///   - size: The size of all frames.
    ///   - frameRate: Frames a second.
    ///   - loops: True to begin again at the file's end, for ever.
    public init(
        _ path: String, format: PixelFormat, size: PixelSize, frameRate: FrameRate = FrameRate(30), loops: Bool = false
    ) {
        var options = RawOptions(format: format, size: size, rate: frameRate)
        options.loops = loops
        node = GraphNode(
            .source(
                ReaderSpecification(label: path == "-" ? "standard input" : path) { [options] () throws(SourceError) in
                    try RawReader(path: path, options: options)
                }))
    }
}
