#if Control
/// Owns one of a limited number of places, such as a viewer's, and releases the place when the lease is deinitialized.
///
/// A body closure holds the lease, so the place is released even if the answer is never sent.
final class Lease: Sendable {
    private let giveBack: @Sendable () -> Void

    /// - Parameter giveBack: Releases the place. Called once, on any thread.
    init(_ giveBack: @escaping @Sendable () -> Void) { self.giveBack = giveBack }

    deinit { giveBack() }
}
#endif
