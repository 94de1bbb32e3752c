#if Media
internal import CGStreamer
internal import PipConcurrency
internal import PipFrames
internal import Synchronization

/// The pipeline by which GStreamer's server sends one path to all of its players.
///
/// GStreamer makes the pipeline when the first player comes, and ends it when the last one has left.
///
/// Thread: any. No call blocks.
final class RTSPMedium: Sendable {
    /// The largest number of packets that wait for the players; further packets are left out.
    private static let waiting = 60

    /// The entry of pictures or sound.
    private final class Track: Sendable {
        private let inlet: Inlet
        private let gate = Mutex(PacketGate())

        init(_ inlet: consuming Inlet) { self.inlet = inlet }

        func end() { inlet.end() }

        var isPlaying: Bool { inlet.start != nil }

        /// Sends a packet, or leaves it out; nil while the pipeline does not play.
        func push(_ packet: Packet) -> PacketGate.Verdict? {
            guard let start = inlet.start, packet.time >= start else { return nil }
            let isFull = inlet.level > RTSPMedium.waiting
            let verdict = gate.withLock { $0.judge(packet, isFull: isFull) }
            guard case .sent(let isNew) = verdict, let buffer = unsafe packet.copy(from: start) else { return verdict }
            if isNew { inlet.use(packet.format) }
            return unsafe inlet.push(buffer) ? verdict : nil
        }
    }

    /// The longest time until a pipeline plays: GStreamer gives one up after 20 seconds.
    private static let patience = Duration.seconds(30)

    private let begun = MonotonicClock().now
    private let picture: Track
    private let sound: Track?
    private let onKeyRequest: @Sendable () -> Void

    /// Finds the entries of packets in the pipeline; nil if they are not there.
    ///
    /// - Parameters:
    ///   - bin: The elements of the path, as ``RTSPMount`` describes them.
    ///   - onKeyRequest: Called when a player needs a key frame. Thread: any.
    @unsafe init?(in bin: UnsafeMutablePointer<GstElement>, onKeyRequest: @escaping @Sendable () -> Void) {
        guard let inlet = unsafe Inlet("video", in: bin) else { return nil }
        inlet.onKeyRequest(onKeyRequest)
        picture = Track(inlet)
        if let inlet = unsafe Inlet("sound", in: bin) { sound = Track(inlet) } else { sound = nil }
        self.onKeyRequest = onKeyRequest
    }

    /// Sends a picture packet, or leaves it out.
    ///
    /// - Returns: True when the packet was sent.
    func push(_ packet: Packet) -> Bool {
        switch picture.push(packet) {
        case .sent: return true
        case .leftOut(let needsKey):
            if needsKey { onKeyRequest() }
            return false
        case nil: return false
        }
    }

    /// Sends a sound packet, or leaves it out.
    func push(sound packet: Packet) { _ = sound?.push(packet) }

    /// True for a pipeline that should play by now, and does not.
    var hasFailed: Bool { !picture.isPlaying && begun.duration(to: MonotonicClock().now) > Self.patience }

    /// Tells the players that the stream has ended.
    func end() {
        picture.end()
        sound?.end()
    }
}
#endif
