/// Tells an app about motion and scene changes: `for await event in meter.events { … }`.
///
/// The meter compares the luma of pictures reduced to 64×36 pixels, so that the session reads back 2 KB a frame. The
/// times of events are the frames' timestamps.
public struct MotionMeter: Sink {
    public let label: String
    /// The motion and scene changes found; the stream ends with the meter's output.
    public let events: MotionEvents
    /// The size of the compared pictures: 64×36 pixels, whatever the picture's aspect ratio.
    public var frameSize: PixelSize? { MotionWatch.size }

    /// - Parameters:
    ///   - sensitivity: The least change that counts as motion.
    ///   - name: The name in messages and statistics.
    public init(_ sensitivity: MotionSensitivity = MotionSensitivity(), name: String = "motion") {
        label = name
        // Up to thirty frames wait, so that an app that is busy for a second misses no beginning of a motion at 30
        // frames a second.
        events = MotionEvents(frames: FrameStream(.oldest(30)), sensitivity: sensitivity)
    }

    public var destination: SinkDestination? { .object(events.frames.identity) }
    public var opening: SinkOpening { .stream(events.frames, name: label, SinkRequest(format: .gray)) }
}

/// The events of a ``MotionMeter``, as an asynchronous sequence with one consumer.
///
/// The task that iterates compares the pictures, in well under a millisecond each.
public struct MotionEvents: AsyncSequence, Sendable {
    let frames: FrameStream
    let sensitivity: MotionSensitivity

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(frames: frames.makeAsyncIterator(), watch: MotionWatch(sensitivity))
    }

    /// The numbers of pictures dropped because the consumer was busy.
    public var drops: DropCounts { frames.drops }

    /// Waits for the next event; ends with the meter's output.
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
    /// The luma of each pixel, row by row: 0 is black and 1 is white.
    ///
    /// Values below 0 and above 1 may occur in limited range.
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
