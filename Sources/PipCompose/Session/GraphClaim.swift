internal import Synchronization

/// A session's claim on the graph that it draws.
final class GraphClaim: Sendable {
    private let wiring: Wiring
    private let isHeld = Mutex(false)

    init(_ wiring: Wiring) {
        self.wiring = wiring
        isHeld.withLock { $0 = wiring.claim(ObjectIdentifier(self)) }
    }

    /// True when no other session has the graph.
    var isValid: Bool { isHeld.withLock { $0 } }

    /// Gives the graph back.
    func end() {
        let wasHeld = isHeld.withLock { isHeld in
            defer { isHeld = false }
            return isHeld
        }
        if wasHeld { wiring.disclaim(ObjectIdentifier(self)) }
    }
}
