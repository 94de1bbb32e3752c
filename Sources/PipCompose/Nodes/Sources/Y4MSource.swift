/// A Y4M stream: grey, 4:1:1, 4:2:0, 4:2:2 or 4:4:4, also with alpha, and with 8 to 16 bits a sample.
///
/// More than 8 bits are rounded to 8. Straight alpha, as files have it, becomes premultiplied.
public final class Y4MSource: FrameProducer {
    public let node: GraphNode

    /// - Parameters:
    ///   - path: A file, a named pipe, or `-` for the standard input.
    ///   - loops: True to loop for ever.
    public init(_ path: String, loops: Bool = false) {
        node = GraphNode(
            .source(
                ReaderSpecification(waiting: path == "-" ? "standard input" : path) { opening throws(SourceError) in
                    try Y4MReader(path: path, loops: loops, opening: opening)
                }))
    }
}
