#if Media
internal import PipConcurrency
internal import PipFrames
internal import Synchronization

/// The peers that receive the packets of one encoder.
///
/// Each peer has a connection of its own, so that a slow or lost peer does not delay the others.
///
/// Thread: any.
final class PeerGroup: Sendable {
    /// A peer whose connection has ended.
    struct Departure: Sendable {
        let id: String
        let reason: String
    }

    private struct State {
        var peers: [String: PeerConnection] = [:]
        /// The peers that receive packets: the connected ones.
        var connected: Set<String> = []
        var requests = KeyRequests()
        var isClosed = false
    }

    private let limit: Int
    private let state = Mutex(State())
    private let clock = MonotonicClock()

    /// Creates a group without peers.
    ///
    /// - Parameter limit: The largest number of peers at a time.
    init(limit: Int) { self.limit = limit }

    /// True while at least one peer receives packets.
    var isConnected: Bool { state.withLock { !$0.connected.isEmpty } }

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
        let peer = state.withLock { state in
            state.connected.remove(id)
            return state.peers.removeValue(forKey: id)
        }
        if let peer { Self.close([peer]) }
        return peer != nil
    }

    /// Removes all peers, and admits no more.
    func close() {
        let peers = state.withLock { state in
            defer { (state.peers, state.connected) = ([:], []) }
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

    // MARK: Key frames

    /// Requests a key frame for a peer.
    func requestKey() { state.withLock { $0.requests.request(at: clock.now) } }

    /// Decides whether a frame must become a key frame.
    ///
    /// Call this method for each frame, before the frame is encoded.
    func grantKey(for frame: Frame) -> Bool { state.withLock { $0.requests.grant(for: frame.timestamp) } }

    // MARK: The sender's thread

    private var receivers: [PeerConnection] {
        state.withLock { state in state.connected.compactMap { state.peers[$0] } }
    }

    /// Sends a picture packet to all connected peers.
    ///
    /// - Returns: True when at least one peer was sent the packet.
    func push(_ packet: Packet) -> Bool {
        var isTaken = false
        for peer in receivers where peer.push(packet) { isTaken = true }
        return isTaken
    }

    /// Sends a sound packet to all connected peers.
    func push(sound packet: Packet) {
        for peer in receivers { peer.push(sound: packet) }
    }

    /// Checks all connections, and removes peers whose connection has ended.
    ///
    /// - Returns: The removed peers, with the reasons.
    func check() -> [Departure] {
        var departures: [Departure] = []
        for (id, peer) in peers {
            switch peer.check() {
            case .connecting: state.withLock { _ = $0.connected.remove(id) }
            case .connected: state.withLock { state in if state.peers[id] != nil { state.connected.insert(id) } }
            case .ended(let reason): if remove(id) { departures.append(Departure(id: id, reason: reason)) }
            }
        }
        return departures
    }
}
#endif
