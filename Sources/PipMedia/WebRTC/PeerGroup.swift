#if Media
internal import PipConcurrency
internal import PipFrames
internal import Synchronization

/// The peers that one encoder's packets go to.
///
/// Each has a connection of its own; one that is slow, gone or stuck holds no other.
final class PeerGroup: Sendable {
    /// A peer that has gone.
    struct Departure: Sendable {
        let id: String
        let reason: String
    }

    private struct State {
        var peers: [String: PeerConnection] = [:]
        /// Those to which packets go.
        var connected: Set<String> = []
        var requests = KeyRequests()
        var isClosed = false
    }

    private let limit: Int
    private let state = Mutex(State())
    private let clock = MonotonicClock()

    /// - Parameter limit: The most peers at a time.
    init(limit: Int) { self.limit = limit }

    /// True when somebody takes packets.
    var isConnected: Bool { state.withLock { !$0.connected.isEmpty } }

    /// Those that are there or about to be, in no order.
    var peers: [(id: String, peer: PeerConnection)] { state.withLock { $0.peers.map { ($0.key, $0.value) } } }

    subscript(id: String) -> PeerConnection? { state.withLock { $0.peers[id] } }

    /// What came of a peer that would join.
    enum Admission {
        case taken, full, closed
    }

    /// Takes a peer in.
    func add(_ peer: PeerConnection, as id: String) -> Admission {
        state.withLock { state in
            guard !state.isClosed else { return .closed }
            guard state.peers.count < limit else { return .full }
            state.peers[id] = peer
            return .taken
        }
    }

    /// Lets a peer go.
    ///
    /// - Returns: False when there is none of the name.
    @discardableResult
    func remove(_ id: String) -> Bool {
        let peer = state.withLock { state in
            state.connected.remove(id)
            return state.peers.removeValue(forKey: id)
        }
        if let peer { Self.close([peer]) }
        return peer != nil
    }

    /// Lets all peers go, and takes no other.
    func close() {
        let peers = state.withLock { state in
            defer { (state.peers, state.connected) = ([:], []) }
            state.isClosed = true
            return Array(state.peers.values)
        }
        Self.close(peers)
    }

    /// Ends connections on a thread of their own: their threads are waited for.
    private static func close(_ peers: [PeerConnection]) {
        guard !peers.isEmpty else { return }
        _ = WorkerThread(name: "pip-peer-end") { for peer in peers { peer.close() } }
    }

    // MARK: Key frames

    /// Notes that a peer needs a key frame.
    func requestKey() { state.withLock { $0.requests.request(at: clock.now) } }

    /// Decides whether a frame that is about to be encoded is to be a key frame.
    func grantKey(for frame: Frame) -> Bool { state.withLock { $0.requests.grant(for: frame.timestamp) } }

    // MARK: The sender's thread

    /// Sends a packet to all that are connected.
    ///
    /// - Returns: True when one at least takes it.
    func push(_ packet: Packet) -> Bool {
        let peers = state.withLock { state in state.connected.compactMap { state.peers[$0] } }
        var isTaken = false
        for peer in peers where peer.push(packet) { isTaken = true }
        return isTaken
    }

    /// Sends sound to all that are connected.
    func push(sound packet: Packet) {
        let peers = state.withLock { state in state.connected.compactMap { state.peers[$0] } }
        for peer in peers { peer.push(sound: packet) }
    }

    /// Looks after all peers, and lets those go that are lost.
    ///
    /// - Returns: Those, with the reasons.
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
