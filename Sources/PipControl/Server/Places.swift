#if Control
internal import Synchronization

/// A number of places, of which each is taken by one at a time.
final class Places: Sendable {
    let limit: Int
    private let taken = Mutex(0)

    init(_ limit: Int) { self.limit = limit }

    /// Takes a place.
    ///
    /// - Returns: False when there is none left.
    func enter() -> Bool {
        taken.withLock { taken in
            guard taken < limit else { return false }
            taken += 1
            return true
        }
    }

    /// Gives a place back.
    func leave() { taken.withLock { $0 -= 1 } }
}
#endif
