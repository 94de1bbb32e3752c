internal import PipCompose
internal import PipFrames
public import PipGraph
public import PipSources

/// A source that shows a text: a picture as large as the text, transparent around the letters unless the style has a
/// background.
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
/// FreeType draws the text when it changes, on the thread that changes it; the picture is uploaded once. HarfBuzz
/// shapes the letters of any script, and FriBidi orders scripts that run from right to left.
///
/// A character that the font lacks is taken from another installed font; emoji are in colour if a colour font is
/// installed. A character that no font has is drawn as a box, and a warning names the Debian package that has it, if
/// there is one.
public final class TextSource: FrameProducer {
    /// The source's node in the graph.
    public let node: GraphNode
    private let picture: TextPicture

    /// - Parameters:
    ///   - text: The first text; `\n` begins a new line.
    ///   - style: The font, size and colours. Align the text to the layer's side of the canvas, because a shorter text
    ///     may keep the former picture's size.
    ///   - reserving: A text for which the picture always has room; empty for none. Texts up to its size need no new
    ///     plan.
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
    /// Thread: any. Once a session has opened the source, the call draws the letters, which takes some tenths of a
    /// millisecond for a line.
    ///
    /// - Throws: ``/PipCompose/SourceError`` when the text has more than 4096 characters (Unicode scalars), or when the
    ///   drawn picture would have more than 8192 pixels a side or 16777216 in all. Then the former text stays.
    public func set(_ text: String) throws(SourceError) { try picture.set(text) }
}
