/// A PNG, JPEG or WebP picture, shown for ever.
public final class StillSource: FrameProducer {
    public let node: GraphNode

    /// A picture from a PNG, JPEG or WebP file.
    public init(_ path: String) {
        node = GraphNode(
            .source(ReaderSpecification(label: path) { () throws(SourceError) in try StillReader(path: path) }))
    }

    /// A picture that lies over others, such as a logo; larger ones than 8192 pixels a side, or 64 MB once decoded, are
    /// refused.
    ///
    /// Its alpha may be straight, as PNG and WebP files have it. It is decoded and uploaded once.
    ///
    /// ```swift
    /// Layer(StillSource(overlay: "logo.png")).placed(.bottomRight, width: 0.12, margin: 24).faded(to: 0.7)
    /// ```
    public init(overlay path: String) {
        node = GraphNode(
            .source(
                ReaderSpecification(label: path) { () throws(SourceError) in
                    try StillReader(path: path, isOverlay: true)
                }))
    }
}
