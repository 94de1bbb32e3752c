#if Control
internal import Synchronization

/// A counting limit: a number of places, each taken by one user at a time.
final class CountingLimit: Sendable {
    let limit: Int
    private let taken = Mutex(0)

    init(_ limit: Int) { self.limit = limit }

    /// Takes a place.
    ///
    /// - Returns: False when all places are taken.
    func enter() -> Bool {
        taken.withLock { taken in
            guard taken < limit else { return false }
            taken += 1
            return true
        }
    }

    /// Releases a place.
    func leave() { taken.withLock { $0 -= 1 } }
}
#endif
