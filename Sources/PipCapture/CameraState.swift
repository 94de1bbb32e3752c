/// The state of a camera's connection and stream.
public enum CameraState: String, Sendable, CaseIterable {
    /// The camera has stopped for good.
    case closed
    /// The camera is opened and negotiated, but does not stream yet.
    case opening
    /// The stream is on, and the next frame is not overdue.
    case streaming
    /// The stream is on, but the next frame is overdue.
    case stalled
    /// The camera is absent, cannot be opened, or has failed.
    ///
    /// A session tries to open the camera again, unless the camera's driver has hung twice.
    case lost
    /// The stream was switched off on purpose, and can be switched on at once.
    case disabled
}
