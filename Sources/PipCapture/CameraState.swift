public import PipFrames

/// Where a camera stands.
public enum CameraState: String, Sendable, CaseIterable {
    /// Not streaming any more, for good.
    case closed
    /// Opened and negotiated, not yet streaming.
    case opening
    /// Frames come, or are expected.
    case streaming
    /// It should deliver and does not.
    case stalled
    /// Gone: unplugged, or failing for good.
    case lost
    /// Switched off on purpose; it can be switched on again at once.
    case disabled
}

/// Something that happened to a camera.
///
/// One event a fault, however many frames it takes.
public enum CameraEvent: Equatable, Sendable, CustomStringConvertible {
    /// The first frame is there.
    case started
    /// No frame came for this long. The stream was restarted once; it may come back by itself.
    case stalled(after: Duration)
    /// Frames come again.
    case resumed
    /// The driver failed, and the stream was stopped and started.
    case restarted(CaptureError)
    /// The camera is gone; its descriptor is closed.
    case lost(CaptureError)
    case disabled
    case enabled
    /// Frames are dropped for what is wrong with them; the first since a second without any.
    case badFrames(DropReason)
    /// The driver's timestamps are not used: frames are stamped when they arrive.
    case timestampsEstimated(TimestampProblem)

    public var description: String {
        switch self {
        case .started: "the first frame has come"
        case .stalled(let duration): "no frame for \(duration)"
        case .resumed: "frames come again"
        case .restarted(let error): "the stream was restarted: \(error)"
        case .lost(let error): "lost: \(error)"
        case .disabled: "switched off"
        case .enabled: "switched on"
        case .badFrames(let reason): "frames are dropped: \(reason.rawValue)"
        case .timestampsEstimated(let problem): "the driver's timestamps are not used: \(problem.rawValue)"
        }
    }
}
