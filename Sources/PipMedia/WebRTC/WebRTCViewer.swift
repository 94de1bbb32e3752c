#if Media
/// A viewer of a ``WebRTCBroadcast`` at one moment, for lists and statistics.
public struct WebRTCViewer: Sendable, Equatable, Identifiable {
    /// The states of a viewer.
    public enum State: String, Sendable {
        /// The connection is being made.
        case connecting
        /// The viewer gets the picture.
        case connected
    }

    /// The viewer's identifier; it is random, so that nobody else can guess it.
    public let id: String
    /// The viewer's present state.
    public let state: State
    /// The number of frames sent to the viewer.
    public let frames: Int
    /// The number of dropped frames: before the first key frame, or while the viewer's network is slow.
    public let framesLeftOut: Int
    /// The number of key frames that the viewer requested.
    public let keyRequests: Int
    /// The number of sent RTP packets.
    public let packets: Int
    /// The number of bytes in the sent packets.
    public let bytes: Int
    /// The number of packets that the viewer missed, by its own reports.
    public let packetsLost: Int
    /// The time to the viewer and back; nil before the viewer's first report.
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
