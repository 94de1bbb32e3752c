/// A Y4M stream: grey, 4:2:0, 4:2:2 or 4:4:4 with 8 to 16 bits a sample, or 4:1:1 or 4:4:4 with alpha with 8 bits.
///
/// The source rounds samples of more than 8 bits to 8 bits, and premultiplies the straight alpha of Y4M.
public final class Y4MSource: FrameProducer {
    public let node: GraphNode

    /// - Parameters:
    ///   - path: A file, a named pipe, or `-` for the standard input.
    ///   - loops: True to begin again at the stream's end, for ever.
    public init(_ path: String, loops: Bool = false) {
        node = GraphNode(
            .source(
                ReaderSpecification(waiting: path == "-" ? "standard input" : path) { opening throws(SourceError) in
                    try Y4MReader(path: path, loops: loops, opening: opening)
                }))
    }
}
