#if Media
internal import PipConcurrency
internal import PipFrames
internal import Synchronization

/// The peers that receive the packets of one encoder.
///
/// Each peer has a connection of its own, so that a slow or lost peer does not delay the others.
///
/// Thread: any.
final class PeerGroup: PacketAudience {
    private struct State {
        var peers: [String: PeerConnection] = [:]
        var requests = KeyRequests()
        var isClosed = false
    }

    private let limit: Int
    private let state = Mutex(State())

    /// Creates a group without peers.
    ///
    /// - Parameter limit: The largest number of peers at a time.
    init(limit: Int) { self.limit = limit }

    var threadName: String { "pip-webrtc" }

    /// True while at least one peer receives packets.
    var isConnected: Bool { state.withLock { $0.peers.values.contains { $0.isConnected } } }

    /// The connected and connecting peers, in no particular order.
    var peers: [(id: String, peer: PeerConnection)] { state.withLock { $0.peers.map { ($0.key, $0.value) } } }

    subscript(id: String) -> PeerConnection? { state.withLock { $0.peers[id] } }

    /// The result of adding a peer.
    enum Admission {
        case taken, full, closed
    }

    /// Adds a peer, unless the group is full or closed.
    func add(_ peer: PeerConnection, as id: String) -> Admission {
        state.withLock { state in
            guard !state.isClosed else { return .closed }
            guard state.peers.count < limit else { return .full }
            state.peers[id] = peer
            return .taken
        }
    }

    /// Removes a peer, and closes its connection in the background.
    ///
    /// - Returns: False when there is no peer `id`.
    @discardableResult
    func remove(_ id: String) -> Bool {
        let peer = state.withLock { $0.peers.removeValue(forKey: id) }
        if let peer { Self.close([peer]) }
        return peer != nil
    }

    /// Removes all peers, and admits no more.
    func close() {
        let peers = state.withLock { state in
            defer { state.peers = [:] }
            state.isClosed = true
            return Array(state.peers.values)
        }
        Self.close(peers)
    }

    /// Closes connections on a new thread, because closing waits for the connections' threads.
    private static func close(_ peers: [PeerConnection]) {
        guard !peers.isEmpty else { return }
        _ = WorkerThread(name: "pip-peer-end") { for peer in peers { peer.close() } }
    }

    /// Handles an event of a peer: requests a key frame, or removes the peer.
    func handle(_ event: PeerConnection.Event, of id: String) {
        switch event {
        case .connected: state.withLock { $0.requests.requestAtOnce() }
        case .needsKey: state.withLock { $0.requests.request() }
        case .ended: remove(id)
        }
    }

    /// Decides whether a frame must become a key frame.
    ///
    /// Call this method for each frame, before the frame is encoded.
    func grantKey(for frame: Frame) -> Bool { state.withLock { $0.requests.grant(for: frame.timestamp) } }

    // MARK: The sender's threads

    private var all: [PeerConnection] { state.withLock { Array($0.peers.values) } }

    /// Sends a picture packet to all connected peers.
    ///
    /// - Returns: True when at least one peer was sent the packet.
    func push(_ packet: Packet) -> Bool {
        var isTaken = false
        for peer in all where peer.push(packet) { isTaken = true }
        return isTaken
    }

    /// Sends a sound packet to all connected peers.
    func push(sound packet: Packet) {
        for peer in all { peer.push(sound: packet) }
    }

    /// Enforces the time limits of all connections.
    ///
    /// Call this method once a second.
    func check() {
        for peer in all { peer.check() }
    }
}
#endif
