/// Tells an app what moves, and when the picture becomes another one: `for await event in meter.events { … }`.
///
/// Pictures are looked at small, 64 by 36, by their luma; what is read back are 3 KB a frame. Times are the frames'.
public struct MotionMeter: Sink {
    public let label: String
    /// What happens; the stream ends with the session.
    public let events: MotionEvents
    /// 64 by 36, whatever the picture's shape.
    public var frameSize: PixelSize? { MotionWatch.size }

    /// - Parameters:
    ///   - sensitivity: What counts as motion.
    ///   - name: The name in messages and statistics.
    public init(_ sensitivity: MotionSensitivity = MotionSensitivity(), name: String = "motion") {
        label = name
        // An app that is busy for a moment misses no beginning.
        events = MotionEvents(frames: FrameStream(.oldest(30)), sensitivity: sensitivity)
    }

    public var destination: SinkDestination? { .object(events.frames.identity) }
    public var opening: SinkOpening { .stream(events.frames, name: label, SinkRequest(format: .i420)) }
}

/// What a ``MotionMeter`` sees, as an asynchronous sequence with one consumer.
///
/// The consumer's task looks at the pictures, in some ten microseconds each.
public struct MotionEvents: AsyncSequence, Sendable {
    let frames: FrameStream
    let sensitivity: MotionSensitivity

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(frames: frames.makeAsyncIterator(), watch: MotionWatch(sensitivity))
    }

    /// Pictures that were not looked at, because the consumer was busy.
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
