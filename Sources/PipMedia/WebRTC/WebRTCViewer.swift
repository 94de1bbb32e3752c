#if Media
/// A viewer of a ``WebRTCBroadcast``, at one moment.
public struct WebRTCViewer: Sendable, Equatable, Identifiable {
    /// The life of a viewer.
    public enum State: String, Sendable {
        /// A way to it is being found.
        case connecting
        /// It is sent the picture.
        case connected
    }

    /// Random, so that nobody else can guess it.
    public let id: String
    /// What it does now.
    public let state: State
    /// Frames that were sent to it.
    public let frames: Int
    /// Frames that were left out: before its first key frame, or because its network is slow.
    public let framesLeftOut: Int
    /// Key frames that it asked for.
    public let keyRequests: Int
    /// Packets of RTP.
    public let packets: Int
    /// Bytes in them.
    public let bytes: Int
    /// Packets that it has missed, as it says itself.
    public let packetsLost: Int
    /// The time to it and back; nil before it has told.
    public let roundTripTime: Duration?

    init(_ id: String, _ peer: PeerConnection) {
        let statistics = peer.statistics
        self.id = id
        state = statistics.isConnected ? .connected : .connecting
        frames = statistics.frames
        framesLeftOut = statistics.framesLeftOut
        keyRequests = statistics.keyRequests
        packets = statistics.counts.packetsSent
        bytes = statistics.counts.bytesSent
        packetsLost = statistics.counts.packetsLost
        roundTripTime = statistics.counts.roundTripTime
    }
}
#endif
