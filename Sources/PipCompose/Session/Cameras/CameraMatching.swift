/// The way in which cameras' exposure and white balance are matched, once their automatic controls have settled.
///
/// A camera that arrives later, or takes another's place, is matched when it has settled. The automatic controls return
/// to their former modes when the session ends.
public enum CameraMatching: String, Sendable, CaseIterable {
    /// Each camera keeps its own settled values.
    case lock
    /// All cameras take the main camera's settled values, as near as their ranges allow. If the main camera is missing
    /// at that time, the first camera present is copied.
    case copy
}
