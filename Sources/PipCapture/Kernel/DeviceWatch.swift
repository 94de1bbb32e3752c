/// A watch for device nodes that appear, disappear or change their permissions.
///
/// Thread: any, but one at a time.
package protocol DeviceWatch: AnyObject {
    /// The descriptor that becomes readable when an event is pending.
    var descriptor: CInt { get }

    /// Consumes the pending events.
    ///
    /// - Returns: True when an event may concern a camera.
    func drain() -> Bool
}
