#if Media
internal import PipConcurrency
internal import PipFrames

/// The packets of one output's frames, on their way from a shared encoder to the output's thread.
///
/// Frames are offered on the render thread, packets come on the encoder's, and are taken on the output's.
final class PacketFeed: Sendable {
    /// A packet for the output.
    struct Delivery: Sendable {
        let packet: Packet
        /// True when a new file begins with it, if it is a key frame.
        let beginsPart: Bool
    }

    /// A frame on its way through the encoder.
    private struct Pending {
        let time: Timestamp
        let beginsPart: Bool
    }

    private struct State {
        var pending: [Pending] = []
        /// The latest frame that the encoder has taken for this output; nil when the next packet has to be a key frame.
        var latest: UInt64?
        var needsKey = true
        /// True when the encoder was changed since the latest frame was expected.
        var isInterrupted = false
        /// True while a packet is put into the queue, which may take its time.
        var isDelivering = false
        var lost = 0

        var isIdle: Bool { pending.isEmpty && !isDelivering }
    }

    private let state = Monitor(State())
    private let queue: BoundedQueue<Delivery>
    /// True when packets wait for room rather than get lost.
    private let waits: Bool

    /// - Parameters:
    ///   - capacity: Packets that wait for the output, at most.
    ///   - waits: Whether packets wait for room rather than get lost.
    init(capacity: Int, waits: Bool) {
        queue = BoundedQueue(capacity: capacity)
        self.waits = waits
    }

    // MARK: The output's thread

    /// Waits for the next packet.
    ///
    /// - Returns: Nil when there was none in time, or all have come.
    func next(until deadline: Timestamp?) -> Delivery? { queue.pop(until: deadline) }

    /// True when all packets were taken, and none will come.
    var isFinished: Bool { queue.isFinished }

    /// Packets that got lost since the last call, because the output is too slow.
    func takeLost() -> Int {
        state.update { state in
            defer { state.lost = 0 }
            return state.lost
        }
    }

    /// Asks for the next frame to become a key frame.
    func requestKeyFrame() { state.update { $0.latest = nil } }

    // MARK: The render thread

    /// True when a frame has to become a key frame for this output: it has missed one that the encoder took.
    func needsKey(after latest: UInt64?) -> Bool { state.read { $0.latest == nil || $0.latest != latest } }

    /// Notes that the encoder may get a frame of this output: its packet may come at any moment from then on.
    func expect(_ frame: Frame, beginsPart: Bool) {
        state.update { state in
            state.isInterrupted = false
            guard state.pending.last?.time != frame.timestamp else { return }
            state.pending.append(Pending(time: frame.timestamp, beginsPart: beginsPart))
        }
    }

    /// Notes that the encoder has taken an expected frame.
    func confirm(_ frame: Frame) {
        state.update { state in state.latest = state.isInterrupted ? nil : frame.info.sequence }
    }

    /// Notes that the encoder has not taken an expected frame.
    func refuse(_ frame: Frame) {
        state.update { state in state.pending.removeAll { $0.time == frame.timestamp } }
    }

    // MARK: The encoder's thread

    /// Waits until no frame is on its way.
    func waitUntilIdle(by deadline: Timestamp) -> Bool {
        state.wait(until: deadline) { $0.isIdle ? true : nil } ?? false
    }

    /// Hands over a packet if it is of a frame of this output.
    func deliver(_ packet: Packet) {
        let delivery = state.update { state -> Delivery? in
            // Encoders give frames back in order; what comes before was left out by it.
            let index = state.pending.firstIndex { abs($0.time.duration(to: packet.time).nanoseconds) < 500_000 }
            guard let index else { return nil }
            let part = state.pending[...index].contains { $0.beginsPart }
            state.lost += index
            defer { state.pending.removeFirst(index + 1) }
            if packet.isKey { state.needsKey = false }
            guard !state.needsKey else {
                state.lost += 1
                return nil
            }
            state.isDelivering = true
            return Delivery(packet: packet, beginsPart: part)
        }
        if let delivery { put(delivery) }
    }

    /// Hands over a packet that no encoder has made.
    ///
    /// - Returns: False when there was no room for it.
    @discardableResult
    func handOver(_ packet: Packet, beginsPart: Bool) -> Bool {
        state.update { $0.isDelivering = true }
        return put(Delivery(packet: packet, beginsPart: beginsPart))
    }

    @discardableResult
    private func put(_ delivery: Delivery) -> Bool {
        let outcome = queue.push(delivery, policy: waits ? .block : .dropNewest)
        state.update { state in
            state.isDelivering = false
            switch outcome {
            case .accepted: break
            case .dropped, .closed, .timedOut:
                state.lost += 1
                // What follows cannot be decoded without it.
                (state.needsKey, state.latest) = (true, nil)
            }
        }
        return outcome == .accepted
    }

    /// Notes that what is on its way is lost, and nothing can be decoded before a key frame.
    func encoderFailed() {
        state.update { state in
            state.lost += state.pending.count
            state.pending = []
            (state.needsKey, state.latest, state.isInterrupted) = (true, nil, true)
        }
    }

    /// Notes that no packet comes any more.
    func end() {
        state.update { state in
            state.lost += state.pending.count
            state.pending = []
        }
        queue.close()
    }
}
#endif
