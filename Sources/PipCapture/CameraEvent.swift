public import PipFrames

/// An incident in the life of a camera, as a session reports it to its owner.
///
/// A fault is reported once, however many frames are lost to it. Match events by their cases, or by ``word`` in
/// scripts.
public enum CameraEvent: Equatable, Sendable, CustomStringConvertible {
    /// The first frame has arrived.
    case started
    /// No frame has arrived for this long, so the camera restarts its stream once.
    ///
    /// A session opens the camera again if the restart does not help.
    case stalled(after: Duration)
    /// Frames arrive again after a stall.
    case resumed
    /// The driver failed, or many frames in a row were unusable, and the stream was restarted.
    ///
    /// The event is also reported when a video decoder has failed and is replaced, or when none can be made.
    case restarted(CaptureError)
    /// The camera is gone or has failed, and its descriptor is closed.
    ///
    /// An error of the kind `hanging` means that the driver does not answer: the descriptor then stays open until the
    /// driver answers.
    case lost(CaptureError)
    /// The camera cannot be opened for now.
    ///
    /// The session keeps trying. The session reports successive failures of the same kind once. The absence of a camera
    /// that was opened before is not reported.
    case waiting(CaptureError)
    /// A lost or stalled camera was opened again, and delivers frames.
    ///
    /// The values are the camera's present path and the length of the interruption.
    case reopened(path: String, after: Duration)
    /// The bus had no bandwidth for the requested mode, so the camera uses a mode that needs less.
    ///
    /// The error names the bus and the other cameras that this program has open on it.
    case reduced(from: CameraMode, to: CameraMode, because: CaptureError)
    /// A requested or restored setting cannot be applied, or the camera has failed at a one-time decision.
    case settingRefused(CaptureError)
    /// The camera has finished a requested one-time decision, such as a single autofocus.
    ///
    /// A decision ends after five seconds at the latest, even if the value still changes. The dictionary holds the
    /// values of the controls that fix the result, keyed by control name. The dictionary is empty when the camera keeps
    /// the result by itself.
    case settled(CameraAdjustments.Automatic, [String: Int])
    case disabled
    case enabled
    /// The camera or another program has changed controls.
    ///
    /// The dictionary holds the new values, keyed by control name. The event is reported at most twice a second.
    case controlsChanged([String: Int])
    /// The privacy shutter is closed.
    case covered
    /// The privacy shutter is open again.
    case uncovered
    /// The measured frame rate has stayed below nine tenths of the negotiated rate for some seconds.
    ///
    /// The hint names a likely remedy.
    case degraded(framesPerSecond: Double, of: FrameRate, hint: String)
    /// The measured frame rate has reached 95 % of the negotiated rate again.
    case recovered(FrameRate)
    /// The machine was suspended for this long, and the stream was restarted.
    case slept(Duration)
    /// Frames are being dropped as unusable.
    ///
    /// The event is reported for the first unusable frame after a second without any.
    case badFrames(DropReason)
    /// The driver's timestamps are invalid, so frames are stamped on arrival until the stream restarts.
    case timestampsEstimated(TimestampProblem)

    public var description: String {
        switch self {
        case .started: "the first frame has come"
        case .stalled(let duration): "no frame for \(duration)"
        case .resumed: "frames come again"
        case .restarted(let error): "the stream was restarted: \(error)"
        case .lost(let error): "lost: \(error)"
        case .waiting(let error): "waiting for the camera: \(error)"
        case .reopened(let path, let duration):
            "back at \(path) after \(Double((duration.inSeconds * 10).rounded()) / 10) s"
        case .reduced(let from, let to, let error): "reduced from \(from) to \(to): \(error)"
        case .settingRefused(let error): "a setting was not applied: \(error)"
        case .settled(let subject, let values):
            "its \(subject.words) is settled"
                + (values.isEmpty ? "" : ": \(Self.list(values))")
        case .controlsChanged(let values):
            "controls changed by the camera or by another program: \(Self.list(values))"
        case .covered: "the shutter over its lens is closed"
        case .uncovered: "the shutter over its lens is open"
        case .disabled: "switched off"
        case .enabled: "switched on"
        case .degraded(let rate, let promised, let hint):
            "delivers \((rate * 10).rounded() / 10) of \(promised) frames a second (\(hint))"
        case .recovered(let rate): "delivers its \(rate) frames a second again"
        case .slept(let duration):
            "the machine slept for \(Int(duration.inSeconds.rounded())) s: the stream was started anew"
        case .badFrames(let reason): "frames are dropped: \(reason.rawValue)"
        case .timestampsEstimated(let problem): "the driver's timestamps are not used: \(problem.rawValue)"
        }
    }

    private static func list(_ values: [String: Int]) -> String {
        values.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: ", ")
    }

    /// True for events that are logged as warnings.
    var isTrouble: Bool {
        switch self {
        case .stalled, .restarted, .lost, .waiting, .reduced, .settingRefused, .covered, .degraded, .badFrames,
            .timestampsEstimated:
            true
        case .started, .resumed, .reopened, .disabled, .enabled, .controlsChanged, .uncovered, .recovered, .slept,
            .settled:
            false
        }
    }

    /// The event's kind, as a word for programs to match: `bad-frames`.
    public var word: String {
        switch self {
        case .started: "started"
        case .stalled: "stalled"
        case .resumed: "resumed"
        case .restarted: "restarted"
        case .lost: "lost"
        case .waiting: "waiting"
        case .reopened: "reopened"
        case .reduced: "reduced"
        case .settingRefused: "setting-refused"
        case .settled: "settled"
        case .disabled: "disabled"
        case .enabled: "enabled"
        case .controlsChanged: "controls-changed"
        case .covered: "covered"
        case .uncovered: "uncovered"
        case .degraded: "degraded"
        case .recovered: "recovered"
        case .slept: "slept"
        case .badFrames: "bad-frames"
        case .timestampsEstimated: "timestamps-estimated"
        }
    }
}
