#if Media
internal import PipConcurrency
internal import PipFrames

/// The queue of sound packets between a shared encoder and one track of an output.
final class SoundFeed: Sendable {
    private struct State {
        var end: Timestamp?
        var lost = 0
    }

    /// The capacity in packets: more than a minute of sound, which takes less memory than a second of pictures.
    private static let capacity = 4096

    private let queue = BoundedQueue<Packet>(capacity: capacity)
    private let state = Monitor(State())

    /// Removes and returns the next packet, without waiting; nil when the queue is empty.
    func next() -> Packet? { queue.popFirst { _ in true } }

    /// Waits for the next packet, and removes it; nil when the queue is empty and closed.
    func waitForNext() -> Packet? { queue.pop() }

    /// True when the queue is empty and closed.
    var isFinished: Bool { queue.isFinished }

    /// Queues a packet.
    ///
    /// A full queue drops its oldest packet.
    func deliver(_ packet: Packet) {
        if let end = state.read({ $0.end }), packet.time >= end { return queue.close() }
        if case .dropped = queue.push(packet, policy: .dropOldest) { state.update { $0.lost += 1 } }
    }

    /// Sets the end of the output; packets from `time` on are not queued.
    func end(at time: Timestamp) { state.update { $0.end = min($0.end ?? time, time) } }

    /// The end of the output; nil while unknown.
    var end: Timestamp? { state.read { $0.end } }

    /// Closes the queue: no packet follows.
    func close() { queue.close() }

    /// Returns the number of packets dropped since the last call.
    func takeLost() -> Int {
        state.update { state in
            defer { state.lost = 0 }
            return state.lost
        }
    }
}
#endif
