#if Media
internal import PipConcurrency
internal import PipFrames
internal import PipPressure

/// An encoder that encodes a picture once for all outputs that need the same encoding.
///
/// When the engine's encoder fails during work, another one replaces it, from a key frame.
final class VideoEncoder: Sendable {
    /// The result of offering a frame.
    enum Offer {
        case taken
        /// The encoder is too slow and leaves the frame out.
        case dropped
        /// The encoder has no room yet.
        case full
        /// No encoder works any more.
        case failed(MediaError)
    }

    private struct State {
        var run: EncoderRun? {
            didSet { name = run?.element.name ?? name }
        }
        /// The name of the last encoder that worked.
        var name: String?
        var feeds: [ObjectIdentifier: PacketFeed] = [:]
        /// The sequence number of the latest offered frame.
        var latestOffer: UInt64?
        var wasTaken = false
        /// The sequence number of the latest frame that the encoder took.
        var latest: UInt64?
        var wantsKey = false
        var failed: Set<String> = []
        var failure: MediaError?
        /// The reduction of the encoding that is applied now.
        var relief = EncodingRelief.none
        /// The event that all packets of the latest run were delivered.
        var isDelivered: Monitor<Bool>?
    }

    private let request: EncodingRequest
    private let candidates: [EncoderElement]
    private let capacity: Int
    private let start: Timestamp
    /// The reduction wanted now; the encoder asks for it with each frame.
    private let relief: @Sendable () -> EncodingRelief
    /// Gets a sentence when another encoder replaces one that failed.
    private let onReplacement: @Sendable (String) -> Void
    private let state = Monitor(State())

    /// Starts the first encoder that works.
    ///
    /// - Parameters:
    ///   - request: The encoding, and the frames to encode.
    ///   - candidates: The encoders, in the order of their trials. Nil tries all.
    ///   - capacity: The most frames that wait for the encoder.
    ///   - start: A moment before the first frame.
    ///   - relief: Returns the reduction wanted under pressure. Called with each frame.
    ///   - onReplacement: Gets a sentence when another encoder replaces one that failed.
    /// - Throws: ``MediaError`` when no encoder works.
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

    /// The name in the engine of the encoder that works, or of the last one that did.
    var name: String? { state.read { $0.name } }

    // MARK: Outputs

    func add(_ feed: PacketFeed) { state.update { $0.feeds[ObjectIdentifier(feed)] = feed } }

    /// Removes an output once its frames are encoded, and ends its packets.
    ///
    /// Blocks until then.
    ///
    /// - Parameters:
    ///   - feed: The output's feed.
    ///   - deadline: The end of the wait. Frames not encoded by then are lost.
    func remove(_ feed: PacketFeed, by deadline: Timestamp) {
        release(feed, by: deadline)
        feed.end()
    }

    /// Removes an output once its frames are encoded, so that it can continue with other packets.
    ///
    /// Blocks until then.
    ///
    /// - Parameters:
    ///   - feed: The output's feed.
    ///   - deadline: The end of the wait. Frames not encoded by then are lost.
    func release(_ feed: PacketFeed, by deadline: Timestamp) {
        let isLast = state.read { $0.feeds.count == 1 && $0.feeds[ObjectIdentifier(feed)] != nil }
        let soon = min(deadline, MonotonicClock().now.advanced(by: .milliseconds(isLast ? 0 : 300)))
        // Without further frames the encoder keeps the last ones: end it, so that it returns them.
        if !feed.waitUntilIdle(by: soon) {
            flush()
            _ = feed.waitUntilIdle(by: deadline)
        }
        state.update { $0.feeds[ObjectIdentifier(feed)] = nil }
    }

    /// Removes an output at once; its outstanding packets are lost.
    func detach(_ feed: PacketFeed) {
        state.update { $0.feeds[ObjectIdentifier(feed)] = nil }
        feed.encoderFailed()
    }

    /// Ends the encoder, so that it returns its remaining packets; the next frame starts another one.
    private func flush() {
        state.update { state in
            state.run?.end()
            (state.run, state.latest) = (nil, nil)
        }
    }

    // MARK: The render thread

    /// Announces a frame that is about to be offered.
    ///
    /// Call it for every output first: one of them may need a key frame.
    func expect(_ frame: Frame, for feed: PacketFeed, beginsPart: Bool) {
        state.update { state in
            if beginsPart || feed.needsKey(after: state.latest) { state.wantsKey = true }
            feed.expect(frame, beginsPart: beginsPart)
        }
    }

    /// Encodes an expected frame for an output.
    ///
    /// Further outputs that offer the same frame share its packet.
    ///
    /// - Parameters:
    ///   - frame: The frame.
    ///   - feed: The output's feed.
    ///   - waits: True when the caller waits for room, false when it drops the frame.
    /// - Returns: The result.
    func offer(_ frame: Frame, for feed: PacketFeed, waits: Bool) -> Offer {
        state.update { state in
            let offer = take(frame, &state, waits: waits)
            if case .taken = offer { feed.confirm(frame) } else { feed.refuse(frame) }
            return offer
        }
    }

    /// Blocks until the encoder has room for another frame.
    ///
    /// - Parameter deadline: The end of the wait.
    func waitForRoom(until deadline: Timestamp) {
        _ = state.wait(until: deadline) { ($0.run?.waiting ?? 0) < capacity ? true : nil }
    }

    private func take(_ frame: Frame, _ state: inout State, waits: Bool) -> Offer {
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

    /// Applies the reduction wanted now; where the encoder cannot change during work, another run does it, from a key
    /// frame.
    private func relieve(_ state: inout State) {
        let wanted = relief()
        guard wanted != state.relief else { return }
        let (before, after) = (request.relieved(by: state.relief).encoding, request.relieved(by: wanted).encoding)
        state.relief = wanted
        guard let run = state.run, before != after, !run.change(from: before, to: after) else { return }
        run.end()
        (state.run, state.latest) = (nil, nil)
    }

    /// Starts an encoder where none works.
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

    /// Delivers an encoder's packets, on a thread that lives as long as the encoder does.
    ///
    /// - Parameters:
    ///   - run: The encoder.
    ///   - previous: The event that the packets of the previous run were delivered. Nil for the first run.
    ///   - isDelivered: The event to raise once the packets of this run are delivered.
    private func follow(_ run: EncoderRun, after previous: Monitor<Bool>?, _ isDelivered: Monitor<Bool>) {
        // Weak, so that an encoder without outputs is released and its thread ends.
        _ = WorkerThread(name: "pip-encoder") { [weak self] in
            defer { isDelivered.update { $0 = true } }
            // A previous encoder that does not end must not delay this one for long.
            _ = previous?.wait(until: MonotonicClock().now.advanced(by: .seconds(2))) { $0 ? true : nil }
            var format: PacketFormat?
            while true {
                switch run.next(within: .milliseconds(100), after: format) {
                case .packet(let packet):
                    format = packet.format
                    guard let self else { return run.stop() }
                    // `update`, since a change wakes the thread that waits for room.
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
        let next = other.map { "\($0) goes on, from a key frame" } ?? "there is no other one"
        onReplacement("the encoder \(name) has failed: \(error.reason); \(next)")
    }
}
#endif
