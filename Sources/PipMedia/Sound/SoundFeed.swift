#if Media
internal import PipConcurrency
internal import PipFrames

/// The packets of one track of an output, on their way from a shared encoder to the output's thread.
final class SoundFeed: Sendable {
    private struct State {
        var end: Timestamp?
        var lost = 0
    }

    /// More than a minute of sound, which is less memory than a second of pictures.
    private static let capacity = 4096

    private let queue = BoundedQueue<Packet>(capacity: capacity)
    private let state = Monitor(State())

    /// The next packet, without a wait; nil when none has come yet, or all have been taken.
    func next() -> Packet? { queue.popFirst { _ in true } }

    /// True when all packets were taken, and none will come.
    var isFinished: Bool { queue.isFinished }

    /// Hands over a packet, or drops the oldest one of an output that takes none.
    func deliver(_ packet: Packet) {
        if let end = state.read({ $0.end }), packet.time >= end { return queue.close() }
        if case .dropped = queue.push(packet, policy: .dropOldest) { state.update { $0.lost += 1 } }
    }

    /// Says at which moment the output ends: nothing from there on is wanted.
    func end(at time: Timestamp) { state.update { $0.end = min($0.end ?? time, time) } }

    /// The moment from which on nothing is wanted; nil while everything is.
    var end: Timestamp? { state.read { $0.end } }

    /// Notes that no packet comes any more.
    func close() { queue.close() }

    /// Packets that got lost since the last call.
    func takeLost() -> Int {
        state.update { state in
            defer { state.lost = 0 }
            return state.lost
        }
    }
}
#endif
