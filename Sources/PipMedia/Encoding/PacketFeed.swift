#if Media
internal import PipConcurrency
internal import PipFrames

/// The packets of one output's frames, between a shared encoder and the output.
///
/// Thread: frames are offered on the render thread, packets are delivered on the encoder's and taken on the output's.
final class PacketFeed: Sendable {
    /// A packet for the output.
    struct Delivery: Sendable {
        let packet: Packet
        /// True when a new file begins with the packet, provided that it is a key frame.
        let beginsPart: Bool
    }

    /// A frame that the encoder has not returned yet.
    private struct Pending {
        let time: Timestamp
        let beginsPart: Bool
    }

    private struct State {
        var pending: [Pending] = []
        /// The sequence number of the latest frame that the encoder took for this output; nil when the next packet must
        /// be a key frame.
        var latest: UInt64?
        var needsKey = true
        /// True when the encoder was replaced after the latest frame was expected.
        var isInterrupted = false
        /// True while the feed puts a packet into the queue, which may block.
        var isDelivering = false
        var lost = 0

        var isIdle: Bool { pending.isEmpty && !isDelivering }
    }

    private let state = Monitor(State())
    private let queue: BoundedQueue<Delivery>
    /// True when packets wait for room, false when they are dropped.
    private let waits: Bool

    /// - Parameters:
    ///   - capacity: The most packets that wait for the output.
    ///   - waits: True when packets wait for room, false when they are dropped.
    init(capacity: Int, waits: Bool) {
        queue = BoundedQueue(capacity: capacity)
        self.waits = waits
    }

    // MARK: The output's thread

    /// Waits for the next packet.
    ///
    /// - Returns: The packet. Nil when none came in time, or when all have come.
    func next(until deadline: Timestamp?) -> Delivery? { queue.pop(until: deadline) }

    /// True when the output has taken all packets, and none will follow.
    var isFinished: Bool { queue.isFinished }

    /// Returns the number of packets lost since the last call; packets are lost when the output is too slow.
    func takeLost() -> Int {
        state.update { state in
            defer { state.lost = 0 }
            return state.lost
        }
    }

    /// Requests a key frame from the next frame.
    func requestKeyFrame() { state.update { $0.latest = nil } }

    // MARK: The render thread

    /// True when a frame must become a key frame for this output, since the output missed one that the encoder took.
    func needsKey(after latest: UInt64?) -> Bool { state.read { $0.latest == nil || $0.latest != latest } }

    /// Notes that the encoder may get a frame of this output; from then on the frame's packet may come at any moment.
    func expect(_ frame: Frame, beginsPart: Bool) {
        state.update { state in
            state.isInterrupted = false
            guard state.pending.last?.time != frame.timestamp else { return }
            state.pending.append(Pending(time: frame.timestamp, beginsPart: beginsPart))
        }
    }

    /// Notes that the encoder took an expected frame.
    func confirm(_ frame: Frame) {
        state.update { state in state.latest = state.isInterrupted ? nil : frame.info.sequence }
    }

    /// Notes that the encoder refused an expected frame.
    func refuse(_ frame: Frame) {
        state.update { state in state.pending.removeAll { $0.time == frame.timestamp } }
    }

    // MARK: The encoder's thread

    /// Waits until no packet of this output is outstanding; returns false at the deadline.
    func waitUntilIdle(by deadline: Timestamp) -> Bool {
        state.wait(until: deadline) { $0.isIdle ? true : nil } ?? false
    }

    /// Queues a packet for the output, if the packet belongs to one of its frames.
    func deliver(_ packet: Packet) {
        let delivery = state.update { state -> Delivery? in
            // Encoders return frames in order: frames before this one were left out.
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

    /// Queues a packet that no encoder has made.
    ///
    /// - Returns: False when the queue had no room.
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
                // Later packets cannot be decoded without this one.
                (state.needsKey, state.latest) = (true, nil)
            }
        }
        return outcome == .accepted
    }

    /// Notes that all outstanding packets are lost, and that the output needs a key frame.
    func encoderFailed() {
        state.update { state in
            state.lost += state.pending.count
            state.pending = []
            (state.needsKey, state.latest, state.isInterrupted) = (true, nil, true)
        }
    }

    /// Ends the packets; the output still takes those in the queue.
    func end() {
        state.update { state in
            state.lost += state.pending.count
            state.pending = []
        }
        queue.close()
    }
}
#endif
