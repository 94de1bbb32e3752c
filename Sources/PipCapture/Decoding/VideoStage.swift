internal import PipConcurrency
internal import PipFrames

/// Decodes a camera's compressed video.
///
/// The capture thread pushes every coded frame to the decoder. A thread of the stage waits for the decoded pictures and
/// delivers them. A failed decoder is replaced, at most once a second.
final class VideoStage: DecodingStage {
    /// A camera's video format and the factory of its decoders.
    struct Video: Sendable {
        let format: CameraFormat
        let decoding: any VideoDecoding
        /// The decoder for the beginning of the stream, made when the camera was opened.
        let first: any VideoDecoder

        /// Makes the first decoder.
        ///
        /// - Throws: ``VideoDecodingError`` when this machine cannot decode the format.
        init(_ format: CameraFormat, _ decoding: any VideoDecoding) throws(VideoDecodingError) {
            self.format = format
            self.decoding = decoding
            first = try decoding.makeDecoder(of: format)
        }
    }

    private let frames: FramesInDecoder
    private let thread: WorkerThread

    let needsEveryFrame = true

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - name: The thread's name.
    ///   - video: The video format and its decoders.
    ///   - outlet: The receiver of decoded frames.
    ///   - calls: The source of time.
    ///   - onTrouble: Receives the reason when a decoder has failed or cannot be made. While no decoder can be made, a
    ///     repeated reason is left out.
    init(
        name: String, _ video: Video, outlet: FrameOutlet, calls: any V4L2Calls,
        onTrouble: @escaping @Sendable (String) -> Void
    ) {
        let frames = FramesInDecoder(video.first, outlet, calls)
        self.frames = frames
        // The closure must not keep the first decoder alive: the thread may outlive that decoder.
        thread = WorkerThread(name: name, clock: calls.clock) { [format = video.format, decoding = video.decoding] in
            var worker = Worker(
                frames: frames, format: format, decoding: decoding, onTrouble: onTrouble,
                delivery: PictureDelivery(outlet, calls, rate: format.frameRate))
            while worker.step() {}
        }
    }

    func submit(_ frame: UndecodedFrame, now: Timestamp) { frames.submit(frame, now: now) }

    /// Pushes the frame to the decoder; its picture is dropped later, because the list of waiting frames lacks the
    /// frame.
    func prime(_ frame: UndecodedFrame) {
        if let decoder = frames.decoder { _ = unsafe decoder.push(frame.bytes, at: frame.timestamp) }
    }

    /// Does nothing, because the decoder already has all submitted frames.
    func discard(_ reason: DropReason, now: Timestamp) {}

    func stop() {
        let decoder = frames.close()
        thread.join()
        decoder?.stop()
        frames.leave(.late)
    }

    /// The work of the stage's thread.
    private struct Worker: ~Copyable {
        let frames: FramesInDecoder
        let format: CameraFormat
        let decoding: any VideoDecoding
        let onTrouble: @Sendable (String) -> Void
        var delivery: PictureDelivery

        private static let patience = Duration.milliseconds(50)
        private static let retryInterval = Duration.seconds(1)

        /// Waits for the next picture and delivers it.
        ///
        /// - Returns: False once the stage is closed.
        mutating func step() -> Bool {
            guard let decoder = nextDecoder() else { return false }
            switch decoder.next(within: Self.patience) {
            case .picture(let layout, let colorimetry, let memory, let time):
                if let frame = frames.take(time) { delivery.deliver(frame, layout, colorimetry, memory) }
            case .nothing: break
            case .failed(let reason):
                decoder.stop()
                onTrouble(reason)
                frames.leave(.corrupted)
            }
            return true
        }

        /// The present decoder, or a new one after a failure; nil once the stage is closed.
        private func nextDecoder() -> (any VideoDecoder)? {
            var reported: String?
            while !frames.isClosed {
                if let present = frames.decoder { return present }
                if frames.isClosed(within: Self.retryInterval) { return nil }
                do throws(VideoDecodingError) {
                    frames.use(try decoding.makeDecoder(of: format))
                } catch {
                    if error.reason != reported { onTrouble(error.reason) }
                    reported = error.reason
                }
            }
            return nil
        }
    }
}

extension VideoDecoding {
    fileprivate func makeDecoder(of format: CameraFormat) throws(VideoDecodingError) -> any VideoDecoder {
        try makeDecoder(of: format.deviceFourCC, format.mode.size)
    }
}

/// The frames that a decoder has accepted and not yet returned.
private final class FramesInDecoder: Sendable {
    /// The metadata of a frame whose decoded picture has not been returned yet.
    struct Waiting {
        let timestamp: Timestamp
        let isTimestampEstimated: Bool
        let sequence: UInt64
        let period: Int
    }

    private struct State {
        /// The present decoder; nil after a failure.
        var decoder: (any VideoDecoder)?
        /// The frames in order of submission.
        var waiting: [Waiting] = []
        var isClosed = false
    }

    /// The most frames that a decoder is assumed to hold back.
    ///
    /// A frame that is farther behind counts as not decoded.
    private static let mostWaiting = UInt64(16)

    private let outlet: FrameOutlet
    private let calls: any V4L2Calls
    private let state: Monitor<State>

    init(_ decoder: any VideoDecoder, _ outlet: FrameOutlet, _ calls: any V4L2Calls) {
        self.outlet = outlet
        self.calls = calls
        state = Monitor(State(decoder: decoder), clock: calls.clock)
    }

    var decoder: (any VideoDecoder)? { state.read { $0.decoder } }

    var isClosed: Bool { state.read { $0.isClosed } }

    /// Waits until the stage is closed, but not longer than `time`.
    ///
    /// - Parameter time: The longest wait.
    /// - Returns: False when the time ran out first.
    func isClosed(within time: Duration) -> Bool {
        state.wait(until: calls.now.advanced(by: time)) { $0.isClosed ? true : nil } ?? false
    }

    func use(_ decoder: any VideoDecoder) { state.update { $0.decoder = decoder } }

    /// Marks the stage as closed, which ends the loop of the stage's thread.
    ///
    /// - Returns: The decoder, which the caller must stop; nil after a failure.
    func close() -> (any VideoDecoder)? {
        state.update { state in
            state.isClosed = true
            return state.decoder
        }
    }

    /// Pushes a frame to the decoder.
    func submit(_ frame: UndecodedFrame, now: Timestamp) {
        // The frame must be in the list before the decoder can return its picture.
        let (decoder, isLost) = state.update { state in
            state.waiting.append(
                Waiting(
                    timestamp: frame.timestamp, isTimestampEstimated: frame.isTimestampEstimated,
                    sequence: frame.sequence, period: frame.period))
            // While a decoder returns no pictures, the list must not grow without bound.
            let isLost = state.waiting.count > 4 * Int(Self.mostWaiting)
            if isLost { state.waiting.removeFirst() }
            return (state.decoder, isLost)
        }
        if isLost { outlet.drop(.corrupted, at: now) }
        if let decoder, unsafe decoder.push(frame.bytes, at: frame.timestamp) { return }
        let isLeft = state.update { state in
            guard let index = state.waiting.lastIndex(where: { $0.sequence == frame.sequence }) else { return false }
            state.waiting.remove(at: index)
            return true
        }
        if isLeft { outlet.drop(.corrupted, at: now) }
    }

    /// Removes and returns the metadata of the frame that was taken at `time`; nil for an unknown time.
    ///
    /// Frames long before the returned frame count as corrupted, because the decoder has skipped them.
    func take(_ time: Timestamp) -> Waiting? {
        let (found, lost) = state.update { state -> (Waiting?, Int) in
            guard let index = state.waiting.firstIndex(where: { $0.timestamp == time }) else { return (nil, 0) }
            let found = state.waiting.remove(at: index)
            let count = state.waiting.count
            state.waiting.removeAll { $0.sequence + Self.mostWaiting < found.sequence }
            return (found, count - state.waiting.count)
        }
        for _ in 0..<lost { outlet.drop(.corrupted, at: calls.now) }
        return found
    }

    /// Releases the decoder, and drops the frames whose pictures it has not returned.
    func leave(_ reason: DropReason) {
        let count = state.update { state in
            defer { state.waiting.removeAll() }
            state.decoder = nil
            return state.waiting.count
        }
        for _ in 0..<count { outlet.drop(reason, at: calls.now) }
    }
}

/// Delivers decoded pictures to recordings and to the consumer.
private struct PictureDelivery: ~Copyable {
    private let outlet: FrameOutlet
    private let calls: any V4L2Calls
    private let rate: FrameRate?
    private var pacer: Pacer
    private var copier: FrameCopier?
    private var layout: FrameLayout?

    init(_ outlet: FrameOutlet, _ calls: any V4L2Calls, rate: FrameRate?) {
        self.outlet = outlet
        self.calls = calls
        self.rate = rate
        pacer = Pacer(frameRate: rate)
        copier = nil
    }

    mutating func deliver(
        _ frame: FramesInDecoder.Waiting, _ layout: FrameLayout, _ colorimetry: Colorimetry, _ memory: FrameBuffer
    ) {
        let info = FrameInfo(
            layout: layout, colorimetry: colorimetry, orientation: outlet.orientation, timestamp: frame.timestamp,
            isTimestampEstimated: frame.isTimestampEstimated, sequence: frame.sequence)
        let picture = Frame(info: info, buffer: memory)
        let subscribers = outlet.pictureSubscribers
        if !subscribers.isEmpty {
            if self.layout?.size != layout.size || self.layout?.format != layout.format {
                self.layout = layout
                copier = FrameCopier(decoded: layout, rate: rate)
            }
            copier?.copy(picture, to: subscribers)
        }
        guard pacer.admits(frame.timestamp, every: outlet.interval) else {
            return outlet.drop(.decimated, at: calls.now)
        }
        outlet.deliver(picture, period: frame.period, now: calls.now)
    }
}
