/// Tells an app about motion and changes of scene: `for await event in meter.events { … }`.
///
/// It compares the luma of pictures of 64×36, so that 3 KB are read back for a frame. Times are the frames' timestamps.
public struct MotionMeter: Sink {
    public let label: String
    /// The events.
    ///
    /// The stream ends with the session.
    public let events: MotionEvents
    /// 64 by 36, whatever the picture's shape.
    public var frameSize: PixelSize? { MotionWatch.size }

    /// - Parameters:
    ///   - sensitivity: The least change that counts as motion.
    ///   - name: The name in messages and statistics.
    public init(_ sensitivity: MotionSensitivity = MotionSensitivity(), name: String = "motion") {
        label = name
        // An app that is busy for a moment misses no beginning.
        events = MotionEvents(frames: FrameStream(.oldest(30)), sensitivity: sensitivity)
    }

    public var destination: SinkDestination? { .object(events.frames.identity) }
    public var opening: SinkOpening { .stream(events.frames, name: label, SinkRequest(format: .i420)) }
}

/// The events of a ``MotionMeter``, as an asynchronous sequence with one consumer.
///
/// The consumer's task compares the pictures, in some ten microseconds each.
public struct MotionEvents: AsyncSequence, Sendable {
    let frames: FrameStream
    let sensitivity: MotionSensitivity

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(frames: frames.makeAsyncIterator(), watch: MotionWatch(sensitivity))
    }

    /// The pictures that were left out because the consumer was busy.
    public var drops: DropCounts { frames.drops }

    /// The consumer's place in the stream.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var frames: FrameStream.AsyncIterator
        var watch: MotionWatch
        private var waiting: [MotionEvent] = []

        init(frames: FrameStream.AsyncIterator, watch: MotionWatch) {
            self.frames = frames
            self.watch = watch
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> MotionEvent? {
            while waiting.isEmpty {
                guard let frame = await frames.next(isolation: actor) else { return nil }
                waiting = watch.take(frame.lumaShares, at: frame.timestamp)
            }
            return waiting.removeFirst()
        }

        public mutating func next() async -> MotionEvent? { await next(isolation: #isolation) }
    }
}

extension Frame {
    /// The luma of each pixel, row by row, 0 for black to 1 for white.
    var lumaShares: [Float] {
        let isFull = info.colorimetry.range == .full
        let (black, span) = isFull ? (Float(0), Float(255)) : (16, 219)
        return withPlane(0) { bytes, plane in
            (0..<plane.dimensions.height).flatMap { row in
                (0..<plane.dimensions.width).map { column in
                    let place = row * plane.strideInBytes + column
                    return (Float(unsafe bytes.unsafeLoad(fromByteOffset: place, as: UInt8.self)) - black) / span
                }
            }
        }
    }
}
