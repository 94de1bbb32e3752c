/// A file of bare frames.
public final class RawSource: FrameProducer {
    public let node: GraphNode

    /// `path`.
    ///
    /// A file, a named pipe, or `-` for the standard input. `loops`: Whether it begins again at its end, for ever.
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
