#if Control
/// A place that is given back when nothing holds it any more: when a client has gone, or was never answered.
final class Lease: Sendable {
    private let giveBack: @Sendable () -> Void

    /// - Parameter giveBack: Called once, on any thread.
    init(_ giveBack: @escaping @Sendable () -> Void) { self.giveBack = giveBack }

    deinit { giveBack() }
}
#endif
