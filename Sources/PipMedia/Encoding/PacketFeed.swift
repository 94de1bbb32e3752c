#if Media
internal import PipConcurrency
internal import PipFrames

/// The queue of one output's packets, between an encoder or a camera and the output.
///
/// Thread: one thread, in most cases the render thread, announces frames. The encoder's or the camera's thread delivers
/// packets, and the output's thread takes the packets.
final class PacketFeed: Sendable {
    /// A packet, and whether a new file begins with the packet.
    struct Delivery: Sendable {
        let packet: Packet
        /// True when a new file begins with the packet, if the packet is a key frame.
        let beginsPart: Bool
    }

    /// A frame whose packet the encoder has not returned yet.
    private struct Pending {
        let time: Timestamp
        let beginsPart: Bool
    }

    private struct State {
        var pending: [Pending] = []
        /// The sequence number of the latest frame that the encoder took for this output; nil when the next frame must
        /// become a key frame.
        var latest: UInt64?
        var needsKey = true
        /// True when the encoder has failed since the latest call of `expect(_:beginsPart:)`.
        var isInterrupted = false
        /// True while a thread puts a packet into the queue, which may block.
        var isDelivering = false
        var lost = 0

        var isIdle: Bool { pending.isEmpty && !isDelivering }
    }

    private let state = Monitor(State())
    private let queue: BoundedQueue<Delivery>
    /// True when packets wait for room in a full queue; false when a full queue drops new packets.
    private let waits: Bool

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - capacity: The largest number of packets that wait for the output.
    ///   - waits: True when packets wait for room in a full queue; false when a full queue drops new packets.
    init(capacity: Int, waits: Bool) {
        queue = BoundedQueue(capacity: capacity)
        self.waits = waits
    }

    // MARK: The output's thread

    /// Waits for the next packet, without a time limit if `deadline` is nil.
    ///
    /// - Returns: The packet. Nil when none came in time, or when none will follow.
    func next(until deadline: Timestamp?) -> Delivery? { queue.pop(until: deadline) }

    /// True when the output has taken all packets, and none will follow.
    var isFinished: Bool { queue.isFinished }

    /// Returns the number of packets lost since the last call.
    ///
    /// Packets are lost, for example, when the output or the encoder is too slow, and when the encoder fails or is
    /// replaced.
    func takeLost() -> Int {
        state.update { state in
            defer { state.lost = 0 }
            return state.lost
        }
    }

    /// Makes the output's next frame a key frame.
    func requestKeyFrame() { state.update { $0.latest = nil } }

    // MARK: The thread that offers frames

    /// True when the next frame must be a key frame: the output waits for one, or the latest frame that the encoder
    /// took, with the sequence number `latest`, was not for the output.
    func needsKey(after latest: UInt64?) -> Bool { state.read { $0.latest == nil || $0.latest != latest } }

    /// Announces a frame that the encoder may get.
    ///
    /// The frame's packet may come at any time after this call begins.
    func expect(_ frame: Frame, beginsPart: Bool) {
        state.update { state in
            state.isInterrupted = false
            guard state.pending.last?.time != frame.timestamp else { return }
            state.pending.append(Pending(time: frame.timestamp, beginsPart: beginsPart))
        }
    }

    /// Confirms that the encoder took an announced frame.
    func confirm(_ frame: Frame) {
        state.update { state in state.latest = state.isInterrupted ? nil : frame.info.sequence }
    }

    /// Withdraws an announced frame, which the encoder refused.
    func refuse(_ frame: Frame) {
        state.update { state in state.pending.removeAll { $0.time == frame.timestamp } }
    }

    // MARK: The encoder's thread

    /// Waits until no packet of this output is outstanding; returns false at the deadline.
    func waitUntilIdle(by deadline: Timestamp) -> Bool {
        state.wait(until: deadline) { $0.isIdle ? true : nil } ?? false
    }

    /// Queues a packet for the output, if the packet belongs to one of the output's frames.
    ///
    /// Drops the packet while the output waits for a key frame.
    func deliver(_ packet: Packet) {
        let delivery = state.update { state -> Delivery? in
            // Encoders return frames in order, so the encoder has dropped all frames before the packet's frame.
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

    /// Queues a packet that comes from no encoder, such as a camera's.
    ///
    /// - Returns: False when the queue had no room, or is closed.
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
                // A decoder cannot decode later packets without the lost packet.
                (state.needsKey, state.latest) = (true, nil)
            }
        }
        return outcome == .accepted
    }

    /// Gives up all outstanding packets, and requests a key frame.
    func encoderFailed() {
        state.update { state in
            state.lost += state.pending.count
            state.pending = []
            (state.needsKey, state.latest, state.isInterrupted) = (true, nil, true)
        }
    }

    /// Closes the queue.
    ///
    /// The output can still take the packets in the queue.
    func end() {
        state.update { state in
            state.lost += state.pending.count
            state.pending = []
        }
        queue.close()
    }
}
#endif
