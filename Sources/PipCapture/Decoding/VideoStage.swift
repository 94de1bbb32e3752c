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

    /// A frame that has not come out yet.
    private struct Waiting {
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

    private let outlet: FrameOutlet
    private let calls: any V4L2Calls
    private let state: Monitor<State>
    private let thread: WorkerThread

    let needsEveryFrame = true

    /// No decoder keeps more pictures back: what is older was not decoded.
    private static let mostWaiting = UInt64(16)
    private static let patience = Duration.milliseconds(50)
    private static let retryInterval = Duration.seconds(1)

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
        self.outlet = outlet
        self.calls = calls
        let state = Monitor(State(decoder: decoder), clock: calls.clock)
        self.state = state
        thread = WorkerThread(name: name, clock: calls.clock) {
            var showing = Showing(outlet: outlet, calls: calls, rate: rate)
            while let decoder = Self.decoder(state, video, calls, onTrouble) {
                switch decoder.next(within: Self.patience) {
                case .picture(let layout, let colorimetry, let memory, let time):
                    guard let frame = Self.take(time, state, outlet, calls.now) else { continue }
                    showing.show(frame, layout, colorimetry, memory)
                case .nothing: continue
                case .failed(let reason):
                    decoder.stop()
                    onTrouble(reason)
                    Self.leave(.corrupted, state, outlet, calls.now) { $0.decoder = nil }
                }
            }
        }
    }

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

    /// Its picture is one of which nothing is known.
    func prime(_ frame: UndecodedFrame) {
        if let decoder = state.read({ $0.decoder }) { _ = unsafe decoder.push(frame.bytes, at: frame.timestamp) }
    }

    /// Does nothing: all that was submitted has gone in, and belongs to a period that has ended.
    func discard(_ reason: DropReason, now: Timestamp) {}

    func stop() {
        let decoder = state.update { state in
            state.isClosed = true
            return state.decoder
        }
        thread.join()
        decoder?.stop()
        Self.leave(.late, state, outlet, calls.now) { $0.decoder = nil }
    }

    // MARK: Its thread

    /// The decoder, made anew after a failure; nil when it is to end.
    private static func decoder(
        _ state: Monitor<State>, _ video: Video, _ calls: any V4L2Calls, _ onTrouble: (String) -> Void
    ) -> (any VideoDecoder)? {
        var told: String?
        while true {
            let (present, isClosed) = state.read { ($0.decoder, $0.isClosed) }
            if isClosed { return nil }
            if let present { return present }
            let next = calls.now.advanced(by: retryInterval)
            if state.wait(until: next, { $0.isClosed ? true : nil }) == true { return nil }
            do throws(VideoDecodingError) {
                let made = try video.makeDecoder()
                state.update { $0.decoder = made }
            } catch {
                if error.reason != told { onTrouble(error.reason) }
                told = error.reason
            }
        }
    }

    /// What is known of the frame of a picture; nil for one of which nothing is known any more.
    ///
    /// Those long before it were not decoded.
    private static func take(
        _ time: Timestamp, _ state: Monitor<State>, _ outlet: FrameOutlet, _ now: Timestamp
    ) -> Waiting? {
        let (found, lost) = state.update { state -> (Waiting?, Int) in
            guard let index = state.waiting.firstIndex(where: { $0.timestamp == time }) else { return (nil, 0) }
            let found = state.waiting.remove(at: index)
            let count = state.waiting.count
            state.waiting.removeAll { $0.sequence + mostWaiting < found.sequence }
            return (found, count - state.waiting.count)
        }
        for _ in 0..<lost { outlet.drop(.corrupted, at: now) }
        return found
    }

    private static func leave(
        _ reason: DropReason, _ state: Monitor<State>, _ outlet: FrameOutlet, _ now: Timestamp,
        _ change: (inout State) -> Void
    ) {
        let count = state.update { state in
            defer { state.waiting.removeAll() }
            change(&state)
            return state.waiting.count
        }
        for _ in 0..<count { outlet.drop(reason, at: now) }
    }

    /// Shows and records pictures.
    private struct Showing: ~Copyable {
        let outlet: FrameOutlet
        let calls: any V4L2Calls
        let rate: FrameRate?
        var pacer: Pacer
        var copier: FrameCopier?
        var layout: FrameLayout?

        init(outlet: FrameOutlet, calls: any V4L2Calls, rate: FrameRate?) {
            self.outlet = outlet
            self.calls = calls
            self.rate = rate
            pacer = Pacer(frameRate: rate)
            copier = nil
        }

        mutating func show(_ frame: Waiting, _ layout: FrameLayout, _ colorimetry: Colorimetry, _ memory: FrameBuffer) {
            let info = FrameInfo(
                layout: layout, colorimetry: colorimetry, orientation: outlet.orientation, timestamp: frame.timestamp,
                isTimestampEstimated: frame.isTimestampEstimated, sequence: frame.sequence)
            let picture = Frame(info: info, buffer: memory)
            let subscribers = outlet.subscribers
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
}
