#if Media
internal import PipFrames
internal import Synchronization

/// The inlet of sound into a peer's pipeline.
final class PeerSoundInlet: Sendable {
    private struct State {
        var format: PacketFormat?
        var isClosed = false
    }

    /// The most packets that wait for the network: a second of sound.
    ///
    /// Further packets are dropped.
    private static let capacity = 50

    private let inlet: Inlet
    private let start: Timestamp
    private let state = Mutex(State())

    /// - Parameters:
    ///   - pipeline: A pipeline with an `appsrc` named `sound`.
    ///   - start: The moment of the pipeline's time 0.
    init(of pipeline: Pipeline, from start: Timestamp) {
        inlet = Inlet("sound", of: pipeline)
        self.start = start
    }

    /// Sends a packet; drops it while too many packets wait.
    func push(_ packet: Packet) {
        guard packet.time >= start, inlet.level < Self.capacity else { return }
        let (isOpen, isNew) = state.withLock { state in
            defer { state.format = packet.format }
            return (!state.isClosed, state.format?.isEqual(to: packet.format) != true)
        }
        guard isOpen else { return }
        if isNew { inlet.use(packet.format) }
        if let buffer = unsafe packet.copy(from: start) { _ = unsafe inlet.push(buffer) }
    }

    /// Stops sending, since the other side refuses the sound.
    func close() { state.withLock { $0.isClosed = true } }
}
#endif
