internal import PipConcurrency
internal import PipFrames

/// A decoder that converts a camera's frames, such as JPEG or Bayer data, to planes that can be drawn.
///
/// Thread: any, but one at a time.
protocol FrameDecoder: AnyObject {
    /// Decodes one frame.
    ///
    /// - Returns: False for a frame that is truncated, damaged or not convertible, whose pixels must not be used.
    @unsafe func decode(_ bytes: UnsafeRawBufferPointer, into frame: FrameBuffer, _ layout: FrameLayout) -> Bool

    /// Tells the decoder that at least one frame was left out between the last frame and the next.
    func skip()
}

extension FrameDecoder {
    func skip() {}
}

/// The frame rate of a camera whose recordings get decoded frames.
struct RecordedRate: Sendable {
    /// The rate that the driver reports; nil when unknown.
    let rate: FrameRate?
}

struct DecodedFormat: Sendable {
    let layout: FrameLayout
    let colorimetry: Colorimetry
    /// The rate of the copies that recordings get; nil when recordings get the driver's own frames.
    let recording: RecordedRate?
}

/// Decodes a camera's frames on a thread of its own, and skips frames when the camera is faster than the decoder.
final class DecoderThread: DecodingStage, Sendable {
    private struct Inbox {
        var frame: UndecodedFrame?
        var isClosed = false
    }

    private let inbox: Monitor<Inbox>
    private let outlet: FrameOutlet
    private let thread: WorkerThread

    let needsEveryFrame = false

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - name: The thread's name.
    ///   - format: The properties of decoded frames.
    ///   - outlet: The receiver of decoded frames.
    ///   - calls: The source of time.
    ///   - makeDecoder: The factory of the decoder, called on the thread. When the factory returns nil, every
    ///     frame is dropped.
    init(
        name: String, _ format: DecodedFormat, outlet: FrameOutlet, calls: any V4L2Calls,
        makeDecoder: @escaping @Sendable () -> (any FrameDecoder)?
    ) {
        self.outlet = outlet
        let inbox = Monitor(Inbox(), clock: calls.clock)
        self.inbox = inbox
        thread = WorkerThread(name: name, clock: calls.clock) { [inbox, outlet] in
            var worker = Worker(format, outlet, calls, makeDecoder())
            while let frame = Self.next(inbox) { worker.decode(frame) }
        }
    }

    /// Offers a frame for decoding; a frame that still waits is dropped as late.
    func submit(_ frame: UndecodedFrame, now: Timestamp) {
        let isDisplacing = inbox.update { inbox in
            defer { inbox.frame = frame }
            return inbox.frame != nil
        }
        if isDisplacing { outlet.drop(.late, at: now) }
    }

    /// Drops the frame that waits for decoding.
    func discard(_ reason: DropReason, now: Timestamp) {
        let isDiscarding = inbox.update { inbox in
            defer { inbox.frame = nil }
            return inbox.frame != nil
        }
        if isDiscarding { outlet.drop(reason, at: now) }
    }

    /// Stops the thread after the frame that it is decoding.
    ///
    /// Blocks until the thread has ended.
    func stop() {
        inbox.update { $0.isClosed = true }
        thread.join()
    }

    private static func next(_ inbox: Monitor<Inbox>) -> UndecodedFrame? {
        inbox.wait { inbox -> UndecodedFrame?? in
            if inbox.isClosed { return .some(nil) }
            guard let frame = inbox.frame else { return nil }
            inbox.frame = nil
            return frame
        } ?? nil
    }

    private struct Worker: ~Copyable {
        let colorimetry: Colorimetry
        let outlet: FrameOutlet
        let calls: any V4L2Calls
        let decoder: (any FrameDecoder)?
        var pool: FramePool
        /// The position of the latest frame; nil before the first frame, and when the latest frame was not decoded.
        var last: (sequence: UInt64, stream: Int)?
        /// Copies decoded frames for recordings; nil when recordings get the driver's own frames.
        var copier: FrameCopier?

        /// The most buffers: one for the decoder, one in the mailbox, and those that the renderer reads.
        private static let poolLimit = 6

        init(
            _ format: DecodedFormat, _ outlet: FrameOutlet, _ calls: any V4L2Calls, _ decoder: (any FrameDecoder)?
        ) {
            colorimetry = format.colorimetry
            self.outlet = outlet
            self.calls = calls
            self.decoder = decoder
            pool = FramePool(format.layout, limit: Self.poolLimit)
            copier = nil
            if let recording = format.recording {
                copier = FrameCopier(decoded: format.layout, rate: recording.rate)
            }
        }

        mutating func decode(_ frame: UndecodedFrame) {
            if let last, (frame.sequence, frame.stream) != (last.sequence + 1, last.stream) { decoder?.skip() }
            last = nil
            guard let buffer = pool.next() else {
                outlet.drop(.late, at: calls.now)
                decoder?.skip()
                return
            }
            guard let decoder, unsafe decoder.decode(frame.bytes, into: buffer, pool.layout) else {
                outlet.drop(.corrupted, at: calls.now)
                decoder?.skip()
                return
            }
            last = (frame.sequence, frame.stream)
            let info = FrameInfo(
                layout: pool.layout, colorimetry: colorimetry, orientation: outlet.orientation,
                timestamp: frame.timestamp, isTimestampEstimated: frame.isTimestampEstimated, sequence: frame.sequence)
            let decoded = Frame(info: info, buffer: buffer)
            let subscribers = outlet.subscribers
            if !subscribers.isEmpty { copier?.copy(decoded, to: subscribers) }
            outlet.deliver(decoded, period: frame.period, now: calls.now)
        }
    }
}
