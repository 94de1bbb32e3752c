/// A PNG or JPEG picture, shown for ever.
public struct StillSource: FrameProducer {
    public let node: GraphNode

    public init(_ path: String) {
        node = GraphNode(
            .source(ReaderSpecification(label: path) { () throws(SourceError) in try StillReader(path: path) }))
    }
}
