/// The state of a camera.
public enum CameraState: String, Sendable, CaseIterable {
    /// Not streaming any more, for good.
    case closed
    /// Opened and negotiated, not yet streaming.
    case opening
    /// Frames come, or are expected.
    case streaming
    /// It should deliver and does not.
    case stalled
    /// Not there, or failing.
    ///
    /// A session opens it again as soon as it can.
    case lost
    /// Switched off on purpose; it can be switched on again at once.
    case disabled
}
