#if Control
/// A place that is released with the last reference: when the client has gone, or was never answered.
final class Lease: Sendable {
    private let giveBack: @Sendable () -> Void

    /// - Parameter giveBack: Releases the place. Thread: any.
    init(_ giveBack: @escaping @Sendable () -> Void) { self.giveBack = giveBack }

    deinit { giveBack() }
}
#endif
