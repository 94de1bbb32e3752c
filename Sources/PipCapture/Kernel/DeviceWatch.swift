/// Watches for device nodes that appear, vanish or change their permissions.
///
/// Not thread-safe.
package protocol DeviceWatch: AnyObject {
    /// Becomes readable when an event is pending.
    var descriptor: CInt { get }

    /// Consumes the pending events.
    ///
    /// - Returns: True when one may concern a camera.
    func drain() -> Bool
}
