/// A Y4M stream.
public final class Y4MSource: FrameProducer {
    public let node: GraphNode

    /// - Parameters:
    ///   - path: A file, a named pipe, or `-` for the standard input.
    ///   - loops: True to loop for ever.
    public init(_ path: String, loops: Bool = false) {
        node = GraphNode(
            .source(
                ReaderSpecification(label: path == "-" ? "standard input" : path) { () throws(SourceError) in
                    try Y4MReader(path: path, loops: loops)
                }))
    }
}
