/// An event of a running session.
public enum SessionEvent: Sendable, CustomStringConvertible {
    /// The first output frame was drawn.
    case started
    case camera(name: String, event: CameraEvent)
    /// A file or another finite source has ended. The source's last frame stays visible while other sources go on.
    case sourceEnded(name: String)
    case sourceFailed(SourceError)
    /// A live stream was lost. The stream's layers follow their absence policies until the stream returns.
    case sourceLost(SourceError)
    /// A lost stream delivers frames again.
    case sourceReturned(name: String)
    case sinkFailed(SinkError)
    /// A sink's disk is full or has failed. Until the disk takes frames again, the sink leaves frames out, or makes an
    /// offline session wait.
    case sinkPaused(SinkError)
    /// A sink writes frames again, to the file `file` or to the pictures of the pattern `file`, after `leftOut` frames
    /// were left out.
    case sinkResumed(name: String, file: String, leftOut: Int)
    /// A sink goes on after an incident that the user should know of, such as another encoder or a new connection.
    case sinkWarning(name: String, String)
    /// A moment was marked, of which `recordings` outputs write a clip.
    case marked(Moment, recordings: Int)
    /// The clip `file` of a recording is complete.
    case clipRecorded(name: String, file: String, moments: [Moment])
    /// A change of the graph, or another plan of the same graph, was refused. The session goes on as before.
    case changeRejected(SessionError)
    /// A camera has refused a limit of the pressure policy, or the end of one. The camera goes on as before.
    case cameraLimitRefused(CaptureError)
    /// A frame could not be drawn or read back, or a moving layer was drawn at its former place.
    case drawingFailed(GLError)
    /// The GPU cannot import a camera's memory: the camera's frames are copied.
    case sharingRefused(GLError)
    /// The GPU was reset, and its context was replaced. Carries the time from the reset to the new context.
    case contextReplaced(after: Duration)
    /// The machine's pressure level or the mitigations in force have changed.
    case pressure(PressureEvent)
    /// A sensor of the machine has vanished or gives no plausible values, or the policy names a thermometer that does
    /// not exist.
    case sensorFailed(SensorProblem)
    /// Controls of a camera's exposure and white balance are locked from now on. Carries the controls that were set.
    case cameraMatched(name: String, controls: [String])
    /// A control of a camera's exposure or white balance cannot be locked.
    case matchingRefused(CaptureError)
    /// Several successive frames took so long to draw that the session has muted an effect.
    ///
    /// The effect stays muted until the app or the user switches it on again.
    case effectSwitchedOff(name: String, frameTime: Duration)
    /// Two calls of camera drivers have not returned. The session goes on with the other cameras.
    case driversHang(CaptureError)
    case stopped

    init(_ event: SinkEvent) {
        switch event {
        case .paused(let error): self = .sinkPaused(error)
        case .resumed(let sink, let path, let leftOut): self = .sinkResumed(name: sink, file: path, leftOut: leftOut)
        case .warning(let sink, let text): self = .sinkWarning(name: sink, text)
        case .clip(let sink, let path, let moments):
            self = .clipRecorded(name: sink, file: path, moments: moments)
        }
    }

    public var description: String {
        switch self {
        case .started: "started"
        case .camera(let name, let event): "\(name): \(event)"
        case .sourceEnded(let name): "\(name): ended"
        case .sourceFailed(let error): error.description
        case .sourceLost(let error): "\(error); trying again"
        case .sourceReturned(let name): "\(name): the source is back"
        case .sinkFailed(let error): error.description
        case .sinkPaused(let error): "\(error); waiting for the disk"
        case .sinkResumed(let name, let file, let leftOut):
            "\(name): goes on\(file == name ? "" : " in \(file)"); frames left out: \(leftOut)"
        case .sinkWarning(let name, let text): "\(name): \(text)"
        case .marked(let moment, let recordings):
            "\(moment): marked\(recordings == 0 ? ", but no running output records clips" : "")"
        case .clipRecorded(_, let file, let moments):
            "\(file): the clip of \(moments.map(\.name).joined(separator: ", ")) is complete"
        case .changeRejected(let error): "a change cannot be made, so the session goes on as before: \(error)"
        case .cameraLimitRefused(let error): "a camera does not follow the pressure policy: \(error)"
        case .contextReplaced(let time):
            "the GPU was reset: the session draws with a new context after \(Int((time.inSeconds * 1000).rounded())) ms"
        case .sharingRefused(let error): "frames are copied to the GPU: \(error)"
        case .drawingFailed(let error): "a frame was not drawn as planned: \(error)"
        case .pressure(let event): event.description
        case .sensorFailed(let problem): problem.description
        case .cameraMatched(let name, let controls): "\(name): keeps \(controls.joined(separator: ", "))"
        case .matchingRefused(let error): error.description
        case .effectSwitchedOff(let name, let time):
            "frames took \(Int((time.inSeconds * 1000).rounded())) ms to draw: the effect \(name) was switched off"
        case .driversHang(let error): error.description
        case .stopped: "stopped"
        }
    }
}
