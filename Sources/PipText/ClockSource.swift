internal import PipCompose
public import PipGraph
internal import PipSources

/// A source that shows the time of day as a text, which is updated every second.
///
/// ```swift
/// Layer(ClockSource("%H:%M:%S", zone: .utc)).placed(.topLeft, margin: 24)
/// ```
///
/// The text follows the machine's clock, even when that clock is set. In a session that draws files as fast as
/// possible, the text follows the output time, starting with the time at which the source was opened.
public final class ClockSource: FrameProducer {
    /// The source's node in the graph.
    public let node: GraphNode

    /// - Parameters:
    ///   - format: The format of the text as for `strftime`, such as `%Y-%m-%d %H:%M:%S`, `%A %e %B` or `%H:%M %Z`.
    ///     Names are in English unless the process sets another locale.
    ///   - zone: The time zone.
    ///   - style: The font, size and colours. The picture is wide enough for every time, so that the text does not
    ///     move.
    public convenience init(
        _ format: String = "%Y-%m-%d %H:%M:%S", zone: ClockZone = .local, _ style: TextStyle = TextStyle()
    ) {
        self.init(format, zone: zone, style, now: ClockPicture.timeOfDay)
    }

    /// Creates a clock that shows an arbitrary time, for tests.
    ///
    /// - Parameters:
    ///   - format: The format of the text as for `strftime`.
    ///   - zone: The time zone.
    ///   - style: The font, size and colours.
    ///   - now: Returns the time to show, in seconds since 1970.
    package init(
        _ format: String, zone: ClockZone, _ style: TextStyle, now: @escaping @Sendable () -> Int
    ) {
        let clock = ClockText(format: format, zone: zone)
        let label = "clock \"\(format.abbreviated)\""
        node = GraphNode(
            .source(
                LivePictureSpecification(label: label) { reports throws(SourceError) in
                    try ClockPicture(clock, style, label: label, now: now, reports: reports)
                }))
    }
}
