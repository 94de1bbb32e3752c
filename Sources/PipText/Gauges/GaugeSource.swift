internal import PipCompose
public import PipGraph
internal import PipSources

/// A source that shows a gauge with the present values of sensors and programs.
///
/// ```swift
/// let telemetry = Telemetry()
/// let speed = GaugeSource(Gauge(.dial("speed", in: 0...240, unit: "km/h")), of: telemetry)
/// let picture = Compositor(canvas: .hd720) {
///     Layer(road)
///     Layer(speed).placed(.bottomRight, margin: 24)
/// }
/// telemetry.set("speed", to: 87.2, lasting: .seconds(3))
/// ```
///
/// A dash takes the place of a number that has never come, and of one that has outlived its validity; the pointer is
/// then not drawn. A thread of its own draws the gauge when its values change, 66 times a second at most.
public final class GaugeSource: FrameProducer {
    /// The source's node in the graph.
    public let node: GraphNode

    /// - Parameters:
    ///   - gauge: The instrument. A session refuses to open one with a number out of its range.
    ///   - telemetry: The values.
    public init(_ gauge: Gauge, of telemetry: Telemetry) {
        let label = "gauge of \(gauge.names.sorted().joined(separator: ", "))"
        node = GraphNode(
            .source(
                LivePictureSpecification(label: label) { reports throws(SourceError) in
                    try GaugePicture(gauge, label: label, warn: reports.warn).live(telemetry, reports)
                }))
    }
}
