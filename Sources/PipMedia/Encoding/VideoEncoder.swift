#if Media
internal import PipConcurrency
internal import PipFrames
internal import PipPressure

/// Encodes a picture once for all outputs that want it alike.
///
/// When the encoder fails at work another one takes its place, with a key frame.
final class VideoEncoder: Sendable {
    /// What came of a frame.
    enum Offer {
        case taken
        /// It is left out: the encoder is too slow.
        case dropped
        /// There is no room yet.
        case full
        /// No encoder works any more.
        case failed(MediaError)
    }

    private struct State {
        var run: EncoderRun? {
            didSet { name = run?.element.name ?? name }
        }
        /// Of the last one that was at work.
        var name: String?
        var feeds: [ObjectIdentifier: PacketFeed] = [:]
        /// The latest frame that was offered.
        var latestOffer: UInt64?
        var wasTaken = false
        /// The latest frame that the encoder has.
        var latest: UInt64?
        var wantsKey = false
        var failed: Set<String> = []
        var failure: MediaError?
        /// What is given up of the encoding.
        var relief = EncodingRelief.none
        /// Becomes true once all packets of the latest run were handed over.
        var isDelivered: Monitor<Bool>?
    }

    private let encoding: VideoEncoding
    private let info: FrameInfo
    private let rate: FrameRate
    private let candidates: [EncoderElement]
    private let capacity: Int
    private let start: Timestamp
    /// What is to be given up; asked with each frame.
    private let relief: @Sendable () -> EncodingRelief
    /// Told, in a sentence, when another encoder takes the place of one that failed.
    private let onReplacement: @Sendable (String) -> Void
    private let state = Monitor(State())

    /// Starts the first encoder that works.
    ///
    /// - Parameters:
    ///   - encoding: What is wanted of it.
    ///   - info: The frames' format and colours.
    ///   - rate: Frames a second, at most.
    ///   - candidates: The encoders, in the order in which they are tried; nil for all that there are.
    ///   - capacity: Frames that wait to be encoded, at most.
    ///   - start: A moment before the first frame.
    ///   - relief: What is to be given up under pressure; asked with each frame.
    ///   - onReplacement: Told when another encoder takes the place of one that failed.
    /// - Throws: ``MediaError`` when no encoder works.
    init(
        _ encoding: VideoEncoding, _ info: FrameInfo, _ rate: FrameRate,
        among candidates: [EncoderElement]? = nil, capacity: Int, start: Timestamp,
        relief: @escaping @Sendable () -> EncodingRelief = { .none },
        onReplacement: @escaping @Sendable (String) -> Void
    ) throws(MediaError) {
        self.encoding = encoding
        self.info = info
        self.rate = rate
        self.capacity = capacity
        self.start = start
        self.relief = relief
        self.onReplacement = onReplacement
        var possible = candidates ?? []
        if candidates == nil { possible = try EncoderChoice.candidates(encoding) }
        self.candidates = possible
        if let error = state.update({ begin(&$0) }) { throw error }
    }

    deinit { state.update { $0.run?.stop() } }

    /// The encoder at work, or the last one that was, by the engine's name.
    var name: String? { state.read { $0.name } }

    // MARK: Outputs

    func add(_ feed: PacketFeed) { state.update { $0.feeds[ObjectIdentifier(feed)] = feed } }

    /// Takes an output away once its frames were encoded; blocks until then.
    ///
    /// - Parameters:
    ///   - feed: The output's.
    ///   - deadline: By when; what is not encoded then is lost.
    func remove(_ feed: PacketFeed, by deadline: Timestamp) {
        release(feed, by: deadline)
        feed.end()
    }

    /// Takes an output away once its frames were encoded, and lets it go on with other packets; blocks until then.
    ///
    /// - Parameters:
    ///   - feed: The output's.
    ///   - deadline: By when; what is not encoded then is lost.
    func release(_ feed: PacketFeed, by deadline: Timestamp) {
        let isLast = state.read { $0.feeds.count == 1 && $0.feeds[ObjectIdentifier(feed)] != nil }
        let soon = min(deadline, MonotonicClock().now.advanced(by: .milliseconds(isLast ? 0 : 300)))
        // Where no frames follow, nothing pushes out what it still has: then it is to end.
        if !feed.waitUntilIdle(by: soon) {
            flush()
            _ = feed.waitUntilIdle(by: deadline)
        }
        state.update { $0.feeds[ObjectIdentifier(feed)] = nil }
    }

    /// Takes an output away at once; what is on its way to it is lost.
    func detach(_ feed: PacketFeed) {
        state.update { $0.feeds[ObjectIdentifier(feed)] = nil }
        feed.encoderFailed()
    }

    /// Lets everything come out; the next frame begins anew.
    private func flush() {
        state.update { state in
            state.run?.end()
            (state.run, state.latest) = (nil, nil)
        }
    }

    // MARK: The render thread

    /// Prepares for a frame that is about to be offered, before any output offers it: some need it as a key frame.
    func expect(_ frame: Frame, for feed: PacketFeed, beginsPart: Bool) {
        state.update { state in
            if beginsPart || feed.needsKey(after: state.latest) { state.wantsKey = true }
            feed.expect(frame, beginsPart: beginsPart)
        }
    }

    /// Takes an expected frame for an output; the same one for several.
    ///
    /// - Parameters:
    ///   - frame: The frame.
    ///   - feed: The output's.
    ///   - waits: Whether the caller waits for room rather than leave it out.
    /// - Returns: What came of it.
    func offer(_ frame: Frame, for feed: PacketFeed, waits: Bool) -> Offer {
        state.update { state in
            let offer = take(frame, &state, waits: waits)
            if case .taken = offer { feed.confirm(frame) } else { feed.refuse(frame) }
            return offer
        }
    }

    /// Blocks until there is room for another frame.
    ///
    /// - Parameter deadline: When to give up.
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

    /// Gives up, or takes back, what is asked for; where the encoder cannot change at work, another run does it, from a
    /// key frame.
    private func relieve(_ state: inout State) {
        let wanted = relief()
        guard wanted != state.relief else { return }
        let (before, after) = (encoding(under: state.relief), encoding(under: wanted))
        state.relief = wanted
        guard let run = state.run, before != after, !run.change(from: before, to: after) else { return }
        run.end()
        (state.run, state.latest) = (nil, nil)
    }

    private func encoding(under relief: EncodingRelief) -> VideoEncoding {
        encoding.relieved(by: relief, info.layout.size, rate)
    }

    /// Starts an encoder where there is none.
    private func begin(_ state: inout State) -> MediaError? {
        guard state.run == nil else { return nil }
        do throws(MediaError) {
            let element = try EncoderChoice.element(
                encoding, info, rate, among: candidates, without: state.failed)
            let run = try EncoderRun(element, encoding(under: state.relief), info, rate, start: start)
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

    /// Hands over what an encoder makes, on a thread that lives as long as the encoder does.
    ///
    /// - Parameters:
    ///   - run: The encoder.
    ///   - previous: Says that the packets of the one before were handed over; nil for the first.
    ///   - isDelivered: Is set once those of this one were.
    private func follow(_ run: EncoderRun, after previous: Monitor<Bool>?, _ isDelivered: Monitor<Bool>) {
        // Weak: without outputs it is let go of, and the thread ends.
        _ = WorkerThread(name: "pip-encoder") { [weak self] in
            defer { isDelivered.update { $0 = true } }
            // An encoder that does not end holds up no other for long.
            _ = previous?.wait(until: MonotonicClock().now.advanced(by: .seconds(2))) { $0 ? true : nil }
            var format: PacketFormat?
            while true {
                switch run.next(within: .milliseconds(100), after: format) {
                case .packet(let packet):
                    format = packet.format
                    guard let self else { return run.stop() }
                    // A change, which wakes what waits for room.
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
        EncoderTrial.noteFailure(of: run.element, encoding, info, because: error.reason)
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
