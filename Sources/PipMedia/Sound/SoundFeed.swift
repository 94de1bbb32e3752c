#if Media
internal import PipConcurrency
internal import PipFrames

/// The packets of one sound track of an output, between a shared encoder and the output.
final class SoundFeed: Sendable {
    private struct State {
        var end: Timestamp?
        var lost = 0
    }

    /// The size of the queue: more than a minute of sound, which takes less memory than a second of pictures.
    private static let capacity = 4096

    private let queue = BoundedQueue<Packet>(capacity: capacity)
    private let state = Monitor(State())

    /// The next packet, without a wait; nil when none has come yet, or when all were taken.
    func next() -> Packet? { queue.popFirst { _ in true } }

    /// True when all packets were taken, and none will follow.
    var isFinished: Bool { queue.isFinished }

    /// Queues a packet; a full queue drops its oldest packet.
    func deliver(_ packet: Packet) {
        if let end = state.read({ $0.end }), packet.time >= end { return queue.close() }
        if case .dropped = queue.push(packet, policy: .dropOldest) { state.update { $0.lost += 1 } }
    }

    /// Sets the moment of the output's end; packets from that moment on are not needed.
    func end(at time: Timestamp) { state.update { $0.end = min($0.end ?? time, time) } }

    /// The moment of the output's end; nil while it is unknown.
    var end: Timestamp? { state.read { $0.end } }

    /// Notes that no packet follows.
    func close() { queue.close() }

    /// Returns the number of packets lost since the last call.
    func takeLost() -> Int {
        state.update { state in
            defer { state.lost = 0 }
            return state.lost
        }
    }
}
#endif
