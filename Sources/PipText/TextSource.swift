internal import PipCompose
internal import PipFrames
public import PipGraph
public import PipSources

/// A text as a source: a picture just as large as the text, transparent around the letters.
///
/// ```swift
/// let style = TextStyle(size: 40, outline: .init(width: 2), alignment: .right)
/// let speed = TextSource("0 km/h", style, reserving: "000 km/h")
/// let picture = Compositor(canvas: .hd720) {
///     Layer(back)
///     Layer(speed).placed(.bottomRight, margin: 24)
/// }
/// try speed.set("87 km/h")  // at any time, from any thread
/// ```
///
/// The text is drawn by FreeType when it changes, on the thread that changes it, and uploaded once. HarfBuzz forms and
/// places the letters of any script, FriBidi orders those that are read from right to left. A character that the font
/// lacks is taken from another installed font, emoji in their colours. One that no font has is drawn as a box; a
/// warning names the Debian package that has it.
public final class TextSource: FrameProducer {
    /// The node in the graph.
    public let node: GraphNode
    private let picture: TextPicture

    /// - Parameters:
    ///   - text: The first text; `\n` begins a new line.
    ///   - style: Font, size and colours. Align the text to the layer's side of the canvas, because a text that becomes
    ///     shorter may keep its picture's size.
    ///   - reserving: A text that always fits into the picture. Texts up to its size need no new plan.
    public init(_ text: String, _ style: TextStyle = TextStyle(), reserving: String = "") {
        let picture = TextPicture(text, style, reserved: reserving)
        self.picture = picture
        node = GraphNode(
            .source(
                LivePictureSpecification(label: picture.label) { reports throws(SourceError) in
                    try picture.open(reports)
                    return picture
                }))
    }

    /// The present text.
    public var text: String { picture.text }

    /// Shows another text from the next frame on.
    ///
    /// Thread: any. It draws the letters, which takes some tenths of a millisecond for a line.
    ///
    /// - Throws: ``/PipCompose/SourceError`` when the text is longer than 4096 characters, or larger than 8192 pixels a
    ///   side; then the text before stays.
    public func set(_ text: String) throws(SourceError) { try picture.set(text) }
}
