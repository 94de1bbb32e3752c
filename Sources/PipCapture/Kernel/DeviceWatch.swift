/// Tells when device nodes come, go or change their permissions.
///
/// Used by one thread.
package protocol DeviceWatch: AnyObject {
    /// Becomes readable when something has happened.
    var descriptor: CInt { get }

    /// Takes what has happened.
    ///
    /// - Returns: Whether it may concern a camera.
    func drain() -> Bool
}
