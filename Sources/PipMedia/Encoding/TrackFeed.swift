#if Media
internal import PipConcurrency
internal import PipFrames

/// The queue of packets of one track of an output: sound from a shared encoder, or texts.
final class TrackFeed: Sendable {
    /// The capacity in packets: more than a minute of sound.
    private static let capacity = 4096

    private let queue = BoundedQueue<Packet>(capacity: capacity)
    private let outputEnd = Monitor<Timestamp?>(nil)

    /// Removes and returns the next packet, without waiting; nil when the queue is empty.
    func next() -> Packet? { queue.popFirst { _ in true } }

    /// Waits for the next packet, and removes it; nil when the queue is empty and closed.
    func waitForNext() -> Packet? { queue.pop() }

    /// True when the queue is empty and closed.
    var isFinished: Bool { queue.isFinished }

    /// Queues a packet.
    ///
    /// A full queue drops its oldest packet. A packet that begins at or after the output's end closes the queue.
    func deliver(_ packet: Packet) {
        if let end, packet.time >= end { return queue.close() }
        _ = queue.push(packet, policy: .dropOldest)
    }

    /// Sets the end of the output; packets from `time` on are not queued.
    func end(at time: Timestamp) { outputEnd.update { $0 = min($0 ?? time, time) } }

    /// The end of the output; nil while unknown.
    var end: Timestamp? { outputEnd.read { $0 } }

    /// Closes the queue: no packet follows.
    func close() { queue.close() }
}
#endif
