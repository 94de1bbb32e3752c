/// A place in a picture, whatever its size: 0 at the left and upper edges to 1 at the right and lower ones.
public struct PicturePoint: Sendable, Hashable {
    /// The distance from the left edge, 0…1 of the width.
    public var x: Double
    /// The distance from the upper edge, 0…1 of the height.
    public var y: Double

    /// A point by its coordinates.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// The corners that ``Corners`` has marked in a frame.
public struct CornerMeasurement: FrameMeasurement, Hashable {
    /// The most corners that are listed.
    public static let limit = 1000
    /// The marks' middles, row by row.
    public let corners: [PicturePoint]
    /// The frame's timestamp.
    public let timestamp: Timestamp
    /// The frame's number.
    public let sequence: UInt64

    /// Reads the marks of a picture; nil for a table.
    public init?(_ frame: Frame) {
        guard frame.info.content == .picture else { return nil }
        let luma = frame.lumaShares
        let size = frame.size
        var found: [PicturePoint] = []
        for (index, value) in luma.enumerated() where value >= 0.5 && found.count < Self.limit {
            let (x, y) = (index % size.width, index / size.width)
            found.append(
                PicturePoint(
                    x: (Double(x) + 0.5) / Double(size.width), y: (Double(y) + 0.5) / Double(size.height)))
        }
        corners = found
        timestamp = frame.timestamp
        sequence = frame.info.sequence
    }
}

/// Lists the corners of each frame for the app: `camera --> Corners(mark: 0) --> CornerMeter()`.
///
/// It belongs behind ``Corners`` whose marks are single pixels.
public struct CornerMeter: Sink {
    public let label: String
    /// The lists as they are made; the stream ends with the session.
    public let values: MeasurementStream<CornerMeasurement>

    /// - Parameters:
    ///   - buffering: The lists that are kept while the app is busy.
    ///   - name: The name in messages and statistics.
    public init(buffering: FrameStream.Buffering = .newest(1), name: String = "corners") {
        label = name
        values = MeasurementStream(FrameStream(buffering))
    }

    public var destination: SinkDestination? { .object(values.frames.identity) }
    public var opening: SinkOpening { .stream(values.frames, name: label, SinkRequest(format: .i420)) }
}
