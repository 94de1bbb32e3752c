#if Media
internal import PipFrames
internal import Synchronization

/// The entry of sound packets into the pipeline of a peer's connection.
final class PeerSoundInlet: Sendable {
    private struct State {
        var format: PacketFormat?
        var isClosed = false
    }

    /// The largest number of packets that wait for the network: a second of sound.
    ///
    /// Further packets are dropped.
    private static let capacity = 50

    private let inlet: Inlet
    private let start: Timestamp
    private let state = Mutex(State())

    /// Creates the inlet of a pipeline's `appsrc`.
    ///
    /// - Parameters:
    ///   - pipeline: A pipeline with an `appsrc` named `sound`.
    ///   - start: The time at which the pipeline's running time is 0.
    init(of pipeline: Pipeline, from start: Timestamp) {
        inlet = Inlet("sound", of: pipeline)
        self.start = start
    }

    /// Sends a packet; drops the packet while too many wait, when it is earlier than `start`, and after ``close()``.
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

    /// Drops all further packets, because the peer refuses the sound.
    func close() { state.withLock { $0.isClosed = true } }
}
#endif
