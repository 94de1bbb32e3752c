internal import PipConcurrency
internal import PipFrames

/// A decoder that turns a camera's compressed or exotic frames into planes.
///
/// Thread: one at a time.
protocol FrameDecoder: AnyObject {
    /// Decodes one frame.
    ///
    /// - Returns: False for a truncated or damaged frame, whose pixels must not be used.
    @unsafe func decode(_ bytes: UnsafeRawBufferPointer, into frame: FrameBuffer, _ layout: FrameLayout) -> Bool

    /// Announces that the next frame does not follow the last one, because frames between were left out.
    func skip()
}

extension FrameDecoder {
    func skip() {}
}

/// The rate of the decoded frames that recordings get.
struct RecordedRate: Sendable {
    /// The rate that the driver promises; nil when unknown.
    let rate: FrameRate?
}

/// The properties of decoded frames.
struct DecodedFormat: Sendable {
    let layout: FrameLayout
    let colorimetry: Colorimetry
    /// The rate of the copies for recordings; nil where recordings get the driver's frames.
    let recording: RecordedRate?
}

/// Decodes the newest of a camera's frames on a thread of its own.
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
    ///   - makeDecoder: The factory, called on the thread. When it returns nil, for want of memory, every frame is
    ///     dropped.
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

    /// Offers a frame for decoding, in place of one that is still waiting.
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
    /// Blocks until then.
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
        /// The position of the latest frame; nil unless it was decoded.
        var last: (sequence: UInt64, stream: Int)?
        /// Copies decoded frames for recordings; nil where recordings get the driver's frames.
        var copier: FrameCopier?

        /// Buffers for the frame being written, the one on offer, and those that the renderer may still read.
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
