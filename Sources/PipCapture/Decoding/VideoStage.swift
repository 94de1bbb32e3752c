internal import PipConcurrency
internal import PipFrames

/// Decodes a camera's video: every frame goes in, and those that are wanted come out.
///
/// Frames go in by the capture thread, which copies them; a thread of its own waits for pictures. A decoder that fails
/// is replaced, at most once a second.
final class VideoStage: DecodingStage {
    /// The kind of video, and what decodes it.
    struct Video: Sendable {
        let format: FourCC
        let size: PixelSize
        let decoding: any VideoDecoding

        func makeDecoder() throws(VideoDecodingError) -> any VideoDecoder { try decoding.makeDecoder(of: format, size) }
    }

    private let frames: FramesInDecoder
    private let thread: WorkerThread

    let needsEveryFrame = true

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - name: The thread's name.
    ///   - video: What is decoded.
    ///   - decoder: The first decoder.
    ///   - rate: The rate that the driver promises.
    ///   - outlet: The receiver of decoded frames.
    ///   - calls: The source of time.
    ///   - onTrouble: Told why a decoder is replaced, and why none can be made, once for each.
    init(
        name: String, _ video: Video, _ decoder: any VideoDecoder, rate: FrameRate?, outlet: FrameOutlet,
        calls: any V4L2Calls, onTrouble: @escaping @Sendable (String) -> Void
    ) {
        let frames = FramesInDecoder(decoder, outlet, calls)
        self.frames = frames
        thread = WorkerThread(name: name, clock: calls.clock) {
            var worker = Worker(
                frames: frames, video: video, onTrouble: onTrouble, showing: PictureShowing(outlet, calls, rate: rate))
            while worker.step() {}
        }
    }

    func submit(_ frame: UndecodedFrame, now: Timestamp) { frames.submit(frame, now: now) }

    /// Its picture is one of which nothing is known.
    func prime(_ frame: UndecodedFrame) {
        if let decoder = frames.decoder { _ = unsafe decoder.push(frame.bytes, at: frame.timestamp) }
    }

    /// Does nothing: all that was submitted has gone in, and belongs to a period that has ended.
    func discard(_ reason: DropReason, now: Timestamp) {}

    func stop() {
        let decoder = frames.close()
        thread.join()
        decoder?.stop()
        frames.leave(.late)
    }

    /// The work of its thread.
    private struct Worker: ~Copyable {
        let frames: FramesInDecoder
        let video: Video
        let onTrouble: @Sendable (String) -> Void
        var showing: PictureShowing

        private static let patience = Duration.milliseconds(50)
        private static let retryInterval = Duration.seconds(1)

        /// Waits for the next picture, and shows it.
        ///
        /// - Returns: False when it is to end.
        mutating func step() -> Bool {
            guard let decoder = nextDecoder() else { return false }
            switch decoder.next(within: Self.patience) {
            case .picture(let layout, let colorimetry, let memory, let time):
                if let frame = frames.take(time) { showing.show(frame, layout, colorimetry, memory) }
            case .nothing: break
            case .failed(let reason):
                decoder.stop()
                onTrouble(reason)
                frames.leave(.corrupted)
            }
            return true
        }

        /// The decoder, made anew after a failure; nil when it is to end.
        private func nextDecoder() -> (any VideoDecoder)? {
            var told: String?
            while !frames.isClosed {
                if let present = frames.decoder { return present }
                if frames.isClosed(within: Self.retryInterval) { return nil }
                do throws(VideoDecodingError) {
                    frames.use(try video.makeDecoder())
                } catch {
                    if error.reason != told { onTrouble(error.reason) }
                    told = error.reason
                }
            }
            return nil
        }
    }
}

/// A decoder, and what is known of the frames that have gone into it and have not come out.
private final class FramesInDecoder: Sendable {
    /// A frame that has not come out yet.
    struct Waiting {
        let timestamp: Timestamp
        let isTimestampEstimated: Bool
        let sequence: UInt64
        let period: Int
    }

    private struct State {
        /// Nil after a failure.
        var decoder: (any VideoDecoder)?
        /// In their order.
        var waiting: [Waiting] = []
        var isClosed = false
    }

    /// No decoder keeps more pictures back: what is older was not decoded.
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

    /// Waits for the end.
    ///
    /// - Parameter time: How long.
    /// - Returns: False when it has not come by then.
    func isClosed(within time: Duration) -> Bool {
        state.wait(until: calls.now.advanced(by: time)) { $0.isClosed ? true : nil } ?? false
    }

    func use(_ decoder: any VideoDecoder) { state.update { $0.decoder = decoder } }

    /// Ends the work of whoever waits for pictures.
    ///
    /// - Returns: The decoder, which is to be stopped.
    func close() -> (any VideoDecoder)? {
        state.update { state in
            state.isClosed = true
            return state.decoder
        }
    }

    /// Gives a frame to the decoder.
    func submit(_ frame: UndecodedFrame, now: Timestamp) {
        // Before its picture can come out.
        let (decoder, isLost) = state.update { state in
            state.waiting.append(
                Waiting(
                    timestamp: frame.timestamp, isTimestampEstimated: frame.isTimestampEstimated,
                    sequence: frame.sequence, period: frame.period))
            // Of a decoder that gives nothing.
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

    /// What is known of the frame of a picture; nil for one of which nothing is known any more.
    ///
    /// Those long before it were not decoded.
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

    /// Leaves the decoder, and drops what has not come out of it.
    func leave(_ reason: DropReason) {
        let count = state.update { state in
            defer { state.waiting.removeAll() }
            state.decoder = nil
            return state.waiting.count
        }
        for _ in 0..<count { outlet.drop(reason, at: calls.now) }
    }
}

/// Shows and records pictures.
private struct PictureShowing: ~Copyable {
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

    mutating func show(
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
