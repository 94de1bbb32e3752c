#if Media
/// A snapshot of a viewer of a ``WebRTCBroadcast``, for lists and statistics.
public struct WebRTCViewer: Sendable, Equatable, Identifiable {
    /// The states of the connection to a viewer.
    public enum State: String, Sendable {
        /// The connection to the viewer is being made, or is interrupted.
        case connecting
        /// The viewer receives the picture.
        case connected
    }

    /// The viewer's identifier; random, so that nobody can guess it.
    public let id: String
    /// The viewer's state when the snapshot was taken.
    public let state: State
    /// The number of frames sent to the viewer.
    public let frames: Int
    /// The number of frames not sent to the viewer: before a key frame, or while the viewer's network is slow.
    public let framesLeftOut: Int
    /// The number of the viewer's requests for a key frame.
    public let keyRequests: Int
    /// The number of RTP packets sent to the viewer.
    public let packets: Int
    /// The number of bytes in the RTP packets sent to the viewer.
    public let bytes: Int
    /// The number of packets that the viewer reports as lost.
    public let packetsLost: Int
    /// The round-trip time to the viewer; nil before the viewer's first report.
    public let roundTripTime: Duration?

    init(_ id: String, _ peer: PeerConnection) {
        let statistics = peer.statistics
        self.id = id
        state = peer.isConnected ? .connected : .connecting
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
