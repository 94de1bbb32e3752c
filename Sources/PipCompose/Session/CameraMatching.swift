/// How cameras are kept from changing their exposure and white balance each for itself, once they have settled.
///
/// One that comes later, or takes another's place, is made to when it has settled. What was automatic is automatic again when
/// the session ends.
public enum CameraMatching: String, Sendable, CaseIterable {
    /// Each keeps what it has settled on.
    case lock
    /// All keep what the main camera has settled on, as near as they can; what the first one has while that is missing.
    case copy
}
