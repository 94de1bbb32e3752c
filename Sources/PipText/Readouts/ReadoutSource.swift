internal import PipCompose
public import PipGraph
internal import PipSources

/// A source that shows a text with the present values of sensors and programs.
///
/// ```swift
/// let telemetry = Telemetry()
/// let picture = Compositor(canvas: .hd720) {
///     Layer(road)
///     Layer(ReadoutSource("{speed:%.0f} km/h", of: telemetry)).placed(.bottomRight, margin: 24)
/// }
/// telemetry.set("speed", to: 87.2, lasting: .seconds(3))
/// ```
///
/// `{speed}` is the value `speed`, `{speed:%.0f}` the same without decimals, `{speed.age}` the seconds since it came. A
/// dash takes the place of a value that has never come, and of one that has outlived its validity; how long ago stands
/// once behind the text: `– km/h (silent for 5 s)`. Two braces stand for one.
///
/// A thread of its own draws the letters when the text changes.
public final class ReadoutSource: FrameProducer {
    /// The source's node in the graph.
    public let node: GraphNode

    /// - Parameters:
    ///   - format: The text with the names of values in braces. A session refuses to open a text with a mistake.
    ///   - telemetry: The values.
    ///   - style: The font, size and colours.
    ///   - reserving: A text for which the picture always has room; empty for none. Texts up to its size need no new
    ///     plan.
    public init(
        _ format: String, of telemetry: Telemetry, _ style: TextStyle = TextStyle(), reserving: String = ""
    ) {
        let picture = TextPicture("", style, reserved: reserving, name: format)
        node = GraphNode(
            .source(
                LivePictureSpecification(label: picture.label) { reports throws(SourceError) in
                    let parsed: ReadoutFormat
                    do throws(ReadoutFormat.Mistake) { parsed = try ReadoutFormat(format) } catch {
                        throw SourceError(picture.label, "be drawn", .invalidOptions, error.description)
                    }
                    let shown = try ReadoutText(parsed, picture).live(telemetry, reports)
                    try picture.open(reports)
                    return shown
                }))
    }
}
