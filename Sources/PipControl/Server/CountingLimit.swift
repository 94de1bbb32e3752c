#if Control
internal import Synchronization

/// A counting semaphore that never blocks: a fixed number of places that users take and release.
final class CountingLimit: Sendable {
    let limit: Int
    private let taken = Mutex(0)

    init(_ limit: Int) { self.limit = limit }

    /// The number of places taken.
    var count: Int { taken.withLock { $0 } }

    /// Takes a place if one is free.
    ///
    /// - Returns: False when all places are taken.
    func enter() -> Bool {
        taken.withLock { taken in
            guard taken < limit else { return false }
            taken += 1
            return true
        }
    }

    /// Releases a place that ``enter()`` took.
    func leave() { taken.withLock { $0 -= 1 } }
}
#endif
