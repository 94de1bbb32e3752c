#if Media
internal import PipFrames
internal import Synchronization

/// The way of sound into a peer's pipeline.
final class PeerSoundInlet: Sendable {
    private struct State {
        var format: PacketFormat?
        var isClosed = false
    }

    /// Packets that wait for the network before others are left out: a second.
    private static let most = 50

    private let inlet: Inlet
    private let start: Timestamp
    private let state = Mutex(State())

    /// - Parameters:
    ///   - pipeline: One with an `appsrc` called `sound`.
    ///   - start: The moment that is its time 0.
    init(of pipeline: Pipeline, from start: Timestamp) {
        inlet = Inlet("sound", of: pipeline)
        self.start = start
    }

    /// Sends a packet, or leaves it out.
    func push(_ packet: Packet) {
        guard packet.time >= start, inlet.level < Self.most else { return }
        let (isOpen, isNew) = state.withLock { state in
            defer { state.format = packet.format }
            return (!state.isClosed, state.format?.isEqual(to: packet.format) != true)
        }
        guard isOpen else { return }
        if isNew { inlet.use(packet.format) }
        if let buffer = unsafe packet.copy(from: start) { _ = unsafe inlet.push(buffer) }
    }

    /// Sends nothing any more: the other side does not want it.
    func close() { state.withLock { $0.isClosed = true } }
}
#endif
