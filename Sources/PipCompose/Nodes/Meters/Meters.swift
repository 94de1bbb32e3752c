/// Measures the mean colour of each frame for the app: `for await average in meter.values { … }`.
///
/// The renderer reduces each picture to one pixel. From a GPU, the session reads back only that pixel, without waiting
/// for the GPU. The measurements may set parameters of effects:
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
    /// The mean colours, one for each drawn frame that is not dropped; the stream ends with the meter's output.
    public let values: MeasurementStream<AverageMeasurement>

    /// - Parameters:
    ///   - buffering: The measurements to keep while the app is busy: the newest or the oldest.
    ///   - name: The name in messages and statistics.
    public init(buffering: FrameStream.Buffering = .newest(1), name: String = "average") {
        label = name
        values = MeasurementStream(FrameStream(buffering))
    }

    public var destination: SinkDestination? { .object(values.frames.identity) }
    public var opening: SinkOpening { .stream(values.frames, name: label, SinkRequest(.average)) }
}

/// Counts the values of each frame's pixels for the app: `for await histogram in meter.values { … }`.
///
/// A GPU counts every pixel, and the session reads back the 4 KB of counts without waiting for the GPU. In software,
/// the task that iterates over ``values`` counts the pixels of a picture of more than 65536 pixels.
public struct HistogramMeter: Sink {
    public let label: String
    /// The histograms, one for each drawn frame that is not dropped; the stream ends with the meter's output.
    public let values: MeasurementStream<HistogramMeasurement>

    /// - Parameters:
    ///   - buffering: The histograms to keep while the app is busy: the newest or the oldest.
    ///   - name: The name in messages and statistics.
    public init(buffering: FrameStream.Buffering = .newest(1), name: String = "histogram") {
        label = name
        values = MeasurementStream(FrameStream(buffering))
    }

    public var destination: SinkDestination? { .object(values.frames.identity) }
    public var opening: SinkOpening { .stream(values.frames, name: label, SinkRequest(.histogram)) }
}

/// The measurements of a meter, one for each drawn frame, as an asynchronous sequence.
///
/// Like a ``FrameStream``, the sequence drops values while the app is busy, and has one consumer.
public struct MeasurementStream<Value: FrameMeasurement>: AsyncSequence, Sendable {
    let frames: FrameStream

    init(_ frames: FrameStream) { self.frames = frames }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(frames: frames.makeAsyncIterator()) }

    /// The numbers of values dropped because the consumer was busy.
    public var drops: DropCounts { frames.drops }

    /// Waits for the next measurement; ends with the meter's output.
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
