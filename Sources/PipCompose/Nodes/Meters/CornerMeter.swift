/// A point in a picture, independent of the picture's size: (0, 0) is the upper left corner, (1, 1) the lower right
/// one.
public struct PicturePoint: Sendable, Hashable {
    /// The distance from the left edge, 0…1 of the width.
    public var x: Double
    /// The distance from the upper edge, 0…1 of the height.
    public var y: Double

    /// Creates a point from its coordinates, each 0…1.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// The corners that ``Corners`` has marked in a frame.
public struct CornerMeasurement: FrameMeasurement, Hashable {
    /// The most corners that a measurement lists; further corners are left out.
    public static let limit = 1000
    /// The centres of the marked pixels, row by row.
    public let corners: [PicturePoint]
    /// The timestamp of the measured frame.
    public let timestamp: Timestamp
    /// The sequence number of the measured frame.
    public let sequence: UInt64

    /// Lists the pixels of a frame with a luma of at least 0.5; nil when the frame is a table instead of a picture.
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
/// Connect the meter to a ``Corners`` effect whose marks are single pixels (`mark: 0`).
public struct CornerMeter: Sink {
    public let label: String
    /// The corner lists, one for each drawn frame that is not dropped; the stream ends with the meter's output.
    public let values: MeasurementStream<CornerMeasurement>

    /// - Parameters:
    ///   - buffering: The lists to keep while the app is busy: the newest or the oldest.
    ///   - name: The name in messages and statistics.
    public init(buffering: FrameStream.Buffering = .newest(1), name: String = "corners") {
        label = name
        values = MeasurementStream(FrameStream(buffering))
    }

    public var destination: SinkDestination? { .object(values.frames.identity) }
    public var opening: SinkOpening { .stream(values.frames, name: label, SinkRequest(format: .i420)) }
}
