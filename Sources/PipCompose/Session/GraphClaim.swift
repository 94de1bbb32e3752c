internal import Synchronization

/// A session's exclusive claim on the graph that it draws.
final class GraphClaim: Sendable {
    private let wiring: Wiring
    private let isHeld = Mutex(false)

    init(_ wiring: Wiring) {
        self.wiring = wiring
        isHeld.withLock { $0 = wiring.claim(ObjectIdentifier(self)) }
    }

    /// True while this session holds the claim; false when another session had the graph, or after ``end()``.
    var isValid: Bool { isHeld.withLock { $0 } }

    /// Releases the claim, so that another session can draw the graph.
    func end() {
        let wasHeld = isHeld.withLock { isHeld in
            defer { isHeld = false }
            return isHeld
        }
        if wasHeld { wiring.disclaim(ObjectIdentifier(self)) }
    }
}
