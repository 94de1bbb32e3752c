/// The matching of cameras' exposure and white balance, once their automatics have settled.
///
/// A camera that comes later, or takes another's place, is matched when it has settled. The automatics are restored
/// when the session ends.
public enum CameraMatching: String, Sendable, CaseIterable {
    /// Each keeps what it has settled on.
    case lock
    /// All keep what the main camera has settled on, as near as they can; what the first one has while that is missing.
    case copy
}
