/// How cameras are kept from changing their exposure and white balance each for itself, once they have settled.
///
/// What was automatic is automatic again when the session ends.
public enum CameraMatching: String, Sendable, CaseIterable {
    /// Each keeps what it has settled on.
    case lock
    /// All keep what the main camera has settled on, as near as they can.
    case copy
}
