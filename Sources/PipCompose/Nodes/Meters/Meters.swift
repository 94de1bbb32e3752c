/// Measures the mean colour of each frame for the app: `for await average in meter.values { … }`.
///
/// The GPU reduces each picture to one pixel, which alone is read back, behind a fence as frames are. What is measured
/// may set parameters of effects:
///
/// ```swift
/// let exposure = back --> Exposure(0)
/// let meter = AverageMeter()
/// back --> meter
/// exposure --> Y4MFile("out.y4m")
/// // While the session runs:
/// for await average in meter.values {
///     try exposure.update { $0.exposure = Float(log2(0.4 / max(average.luma, 0.05))) }
/// }
/// ```
public struct AverageMeter: Sink {
    public let label: String
    /// The measurements as they are made; the stream ends with the session.
    public let values: MeasurementStream<AverageMeasurement>

    /// `buffering`: Which values wait while the app is busy.
    public init(buffering: FrameStream.Buffering = .newest(1), name: String = "average") {
        label = name
        values = MeasurementStream(FrameStream(buffering))
    }

    public var destination: SinkDestination? { .object(values.frames.identity) }
    public var opening: SinkOpening { .stream(values.frames, name: label, SinkRequest(.average)) }
}

/// Counts the values of each frame's pixels for the app: `for await histogram in meter.values { … }`.
///
/// The GPU counts, every pixel once; 4 KB are read back, behind a fence as frames are.
public struct HistogramMeter: Sink {
    public let label: String
    /// The histograms as they are made; the stream ends with the session.
    public let values: MeasurementStream<HistogramMeasurement>

    /// `buffering`: Which values wait while the app is busy.
    public init(buffering: FrameStream.Buffering = .newest(1), name: String = "histogram") {
        label = name
        values = MeasurementStream(FrameStream(buffering))
    }

    public var destination: SinkDestination? { .object(values.frames.identity) }
    public var opening: SinkOpening { .stream(values.frames, name: label, SinkRequest(.histogram)) }
}

/// The measurements of a meter, one for each drawn frame, as an asynchronous sequence.
///
/// As with a ``FrameStream``, values that the app is too busy for are dropped, and there is one consumer.
public struct MeasurementStream<Value: FrameMeasurement>: AsyncSequence, Sendable {
    let frames: FrameStream

    init(_ frames: FrameStream) { self.frames = frames }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(frames: frames.makeAsyncIterator()) }

    /// Values that the consumer did not get, because it was busy.
    public var drops: DropCounts { frames.drops }

    /// The consumer's place in the stream.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var frames: FrameStream.AsyncIterator

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
            while let frame = await frames.next(isolation: actor) {
                if let value = Value(frame) { return value }
            }
            return nil
        }

        public mutating func next() async -> Value? { await next(isolation: #isolation) }
    }
}
