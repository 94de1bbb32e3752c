/// The state of a camera's connection and stream.
public enum CameraState: String, Sendable, CaseIterable {
    /// The camera has stopped for good.
    case closed
    /// The camera is opened and negotiated, but does not stream yet.
    case opening
    /// The camera streams, and the next frame is due.
    case streaming
    /// The camera streams, but has stopped delivering frames.
    case stalled
    /// The camera is absent, cannot be opened, or has failed.
    ///
    /// A session opens the camera again as soon as possible.
    case lost
    /// The stream was switched off on purpose, and can be switched on at once.
    case disabled
}
