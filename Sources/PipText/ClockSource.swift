internal import PipCompose
public import PipGraph
internal import PipSources

/// A source of the time of day: a text that changes once a second.
///
/// ```swift
/// Layer(ClockSource("%H:%M:%S", zone: .utc)).placed(.topLeft, margin: 24)
/// ```
///
/// It follows the machine's clock, even when that is set. In files that are not made in real time, it follows the
/// output's time, from the moment at which the session was made.
public final class ClockSource: FrameProducer {
    /// The node in the graph.
    public let node: GraphNode

    /// - Parameters:
    ///   - format: The text in a format of `strftime`, in English: `%Y-%m-%d %H:%M:%S`, `%A %e %B`, `%H:%M %Z`.
    ///   - zone: The time zone.
    ///   - style: Font, size and colours. The picture is wide enough for any time, so that the text does not move.
    public convenience init(
        _ format: String = "%Y-%m-%d %H:%M:%S", zone: ClockZone = .local, _ style: TextStyle = TextStyle()
    ) {
        self.init(format, zone: zone, style, now: ClockPicture.timeOfDay)
    }

    /// A clock with a time of its own, for tests.
    ///
    /// - Parameters:
    ///   - format: The text in a format of `strftime`.
    ///   - zone: The time zone.
    ///   - style: Font, size and colours.
    ///   - now: Returns the seconds since 1970.
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
