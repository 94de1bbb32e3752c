#if Media
internal import PipConcurrency
internal import PipFrames
internal import PipPressure

/// Encodes frames once for all outputs that need the same encoding.
///
/// When the GStreamer encoder fails while it runs, another encoder replaces it, from a key frame on, if one works.
final class VideoEncoder: Sendable {
    /// The result of offering a frame.
    enum Offer {
        case taken
        /// The frame is dropped, because the encoder is too slow or no longer accepts frames.
        case dropped
        /// The encoder has no room yet; only a caller that waits for room gets this result.
        case full
        /// No encoder is left that works.
        case failed(MediaError)
    }

    private struct State {
        var run: EncoderRun? {
            didSet { name = run?.element.name ?? name }
        }
        /// The name of the encoder in use, or of the encoder used last.
        var name: String?
        var feeds: [ObjectIdentifier: PacketFeed] = [:]
        /// The sequence number of the latest frame that was taken or dropped.
        var latestOffer: UInt64?
        var wasTaken = false
        /// The sequence number of the latest frame that the current encoder took; nil for none.
        var latest: UInt64?
        var wantsKey = false
        var failed: Set<String> = []
        var failure: MediaError?
        /// The reduction currently applied to the encoding.
        var relief = EncodingRelief.none
        /// True once all packets of the latest run have been delivered; nil before the first run.
        var isDelivered: Monitor<Bool>?
    }

    private let request: EncodingRequest
    private let candidates: [EncoderElement]
    private let capacity: Int
    private let start: Timestamp
    /// Returns the reduction to apply; called with each frame.
    private let relief: @Sendable () -> EncodingRelief
    /// Takes a sentence about a failed encoder and its replacement, if there is one.
    private let onReplacement: @Sendable (String) -> Void
    private let state = Monitor(State())

    /// Starts the first encoder that works.
    ///
    /// - Parameters:
    ///   - request: The encoding, and the frames to encode.
    ///   - candidates: The encoders, in the order of their trials. Nil to try all that can make the encoding.
    ///   - capacity: The largest number of frames that wait for the encoder.
    ///   - start: The timestamp of the encoder's running time 0, at or before the first frame.
    ///   - relief: Returns the reduction to apply under pressure. Called with each frame.
    ///   - onReplacement: Takes a sentence about a failed encoder and its replacement, if there is one.
    /// - Throws: ``MediaError`` when no encoder works, or when the requested encoder is unknown or makes another codec.
    init(
        _ request: EncodingRequest, among candidates: [EncoderElement]? = nil, capacity: Int, start: Timestamp,
        relief: @escaping @Sendable () -> EncodingRelief = { .none },
        onReplacement: @escaping @Sendable (String) -> Void
    ) throws(MediaError) {
        self.request = request
        self.capacity = capacity
        self.start = start
        self.relief = relief
        self.onReplacement = onReplacement
        if let candidates {
            self.candidates = candidates
        } else {
            self.candidates = try EncoderChoice.candidates(request.encoding)
        }
        if let error = state.update({ begin(&$0) }) { throw error }
    }

    deinit { state.update { $0.run?.stop() } }

    /// The GStreamer name of the encoder in use, or of the encoder used last.
    var name: String? { state.read { $0.name } }

    // MARK: Outputs

    func add(_ feed: PacketFeed) { state.update { $0.feeds[ObjectIdentifier(feed)] = feed } }

    /// Removes an output after its frames have been encoded, and ends its packets.
    ///
    /// Blocks until the frames are encoded, at most until the deadline.
    ///
    /// - Parameters:
    ///   - feed: The output's feed.
    ///   - deadline: The end of the wait. Frames that are not encoded by then are lost.
    func remove(_ feed: PacketFeed, by deadline: Timestamp) {
        release(feed, by: deadline)
        feed.end()
    }

    /// Removes an output after its frames have been encoded, so that it can continue with another encoder.
    ///
    /// Blocks until the frames are encoded, at most until the deadline.
    ///
    /// - Parameters:
    ///   - feed: The output's feed.
    ///   - deadline: The end of the wait. Frames that are not encoded by then are lost.
    func release(_ feed: PacketFeed, by deadline: Timestamp) {
        let isLast = state.read { $0.feeds.count == 1 && $0.feeds[ObjectIdentifier(feed)] != nil }
        let soon = min(deadline, MonotonicClock().now.advanced(by: .milliseconds(isLast ? 0 : 300)))
        // Without further frames, the encoder may hold back its last packets: ending the run releases them.
        if !feed.waitUntilIdle(by: soon) {
            flush()
            _ = feed.waitUntilIdle(by: deadline)
        }
        state.update { $0.feeds[ObjectIdentifier(feed)] = nil }
    }

    /// Removes an output at once.
    ///
    /// The output's outstanding packets are lost.
    func detach(_ feed: PacketFeed) {
        state.update { $0.feeds[ObjectIdentifier(feed)] = nil }
        feed.encoderFailed()
    }

    /// Ends the current run, so that it returns its remaining packets.
    ///
    /// The next frame starts another run.
    private func flush() {
        state.update { state in
            state.run?.end()
            (state.run, state.latest) = (nil, nil)
        }
    }

    // MARK: The thread that offers frames

    /// Announces a frame that is about to be offered.
    ///
    /// Announce a frame for all outputs before offering it for any: one of them may need a key frame.
    func expect(_ frame: Frame, for feed: PacketFeed, beginsPart: Bool) {
        state.update { state in
            if beginsPart || feed.needsKey(after: state.latest) { state.wantsKey = true }
            feed.expect(frame, beginsPart: beginsPart)
        }
    }

    /// Encodes an announced frame for an output.
    ///
    /// Further outputs that offer the same frame share its packet.
    ///
    /// - Parameters:
    ///   - frame: The frame.
    ///   - feed: The output's feed.
    ///   - waits: True when the caller waits for room; false to drop the frame when there is none.
    ///   - backlog: The largest number of frames that wait while no other output uses the encoder.
    /// - Returns: The outcome for the frame.
    func offer(_ frame: Frame, for feed: PacketFeed, waits: Bool, backlog: Int = .max) -> Offer {
        state.update { state in
            let capacity = state.feeds.count > 1 ? capacity : min(capacity, backlog)
            let offer = take(frame, &state, waits: waits, capacity: capacity)
            if case .taken = offer { feed.confirm(frame) } else { feed.refuse(frame) }
            return offer
        }
    }

    /// Blocks until the encoder has room for a frame.
    ///
    /// - Parameter deadline: The end of the wait.
    func waitForRoom(until deadline: Timestamp) {
        _ = state.wait(until: deadline) { ($0.run?.waiting ?? 0) < capacity ? true : nil }
    }

    private func take(_ frame: Frame, _ state: inout State, waits: Bool, capacity: Int) -> Offer {
        if let failure = state.failure { return .failed(failure) }
        let sequence = frame.info.sequence
        if state.latestOffer == sequence { return state.wasTaken ? .taken : .dropped }
        relieve(&state)
        if let error = begin(&state) { return .failed(error) }
        guard let run = state.run else { return .dropped }
        if run.waiting >= capacity {
            if !waits { (state.latestOffer, state.wasTaken) = (sequence, false) }
            return waits ? .full : .dropped
        }
        let isTaken = run.encode(frame, isKey: state.wantsKey)
        (state.latestOffer, state.wasTaken) = (sequence, isTaken)
        if isTaken { (state.latest, state.wantsKey) = (sequence, false) }
        return isTaken ? .taken : .dropped
    }

    /// Applies the reduction that `relief` returns.
    ///
    /// An encoder that cannot change while it runs is replaced by a new run, from a key frame on.
    private func relieve(_ state: inout State) {
        let wanted = relief()
        guard wanted != state.relief else { return }
        let (before, after) = (request.relieved(by: state.relief).encoding, request.relieved(by: wanted).encoding)
        state.relief = wanted
        guard let run = state.run, before != after, !run.change(from: before, to: after) else { return }
        run.end()
        (state.run, state.latest) = (nil, nil)
    }

    /// Starts a run if there is none.
    ///
    /// - Returns: The error when no encoder works.
    private func begin(_ state: inout State) -> MediaError? {
        guard state.run == nil else { return nil }
        do throws(MediaError) {
            let element = try EncoderChoice.element(request, among: candidates, without: state.failed)
            let run = try EncoderRun(element, request.relieved(by: state.relief), start: start)
            (state.run, state.latest) = (run, nil)
            let previous = state.isDelivered
            let isDelivered = Monitor(false)
            state.isDelivered = isDelivered
            follow(run, after: previous, isDelivered)
            return nil
        } catch {
            state.failure = error
            return error
        }
    }

    // MARK: The encoder's thread

    /// Delivers the packets of a run, on a new thread that ends with the run.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - previous: True once the packets of the previous run were delivered. Nil for the first run.
    ///   - isDelivered: Set to true when all packets of this run were delivered.
    private func follow(_ run: EncoderRun, after previous: Monitor<Bool>?, _ isDelivered: Monitor<Bool>) {
        // The thread holds the encoder weakly: an encoder without outputs is released, and its thread ends.
        _ = WorkerThread(name: "pip-encoder") { [weak self] in
            defer { isDelivered.update { $0 = true } }
            // A previous run that does not end must not delay this run for long.
            _ = previous?.wait(until: MonotonicClock().now.advanced(by: .seconds(2))) { $0 ? true : nil }
            var format: PacketFormat?
            while true {
                switch run.next(within: .milliseconds(100), after: format) {
                case .packet(let packet):
                    format = packet.format
                    guard let self else { return run.stop() }
                    // `update` also wakes the thread that waits for room, unlike `read`.
                    for feed in self.state.update({ Array($0.feeds.values) }) { feed.deliver(packet) }
                case .nothing: if self == nil { return run.stop() }
                case .ended: return run.stop()
                case .failed(let error):
                    run.stop()
                    self?.replace(run, because: error)
                    return
                }
            }
        }
    }

    private func replace(_ run: EncoderRun, because error: MediaError) {
        let name = run.element.name
        EncoderTrial.noteFailure(of: run.element, request, because: error.reason)
        state.update { state in
            guard state.run === run else { return }
            state.failed.insert(name)
            state.run = nil
            for feed in state.feeds.values { feed.encoderFailed() }
            if begin(&state) != nil { for feed in state.feeds.values { feed.end() } }
        }
        let other = state.read { $0.run?.element.name }
        let next = other.map { "\($0) goes on, from a key frame" } ?? "no other encoder works"
        onReplacement("the encoder \(name) has failed: \(error.reason); \(next)")
    }
}
#endif
