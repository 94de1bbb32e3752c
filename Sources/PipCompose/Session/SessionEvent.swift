/// Something that happened to a running session.
public enum SessionEvent: Sendable, CustomStringConvertible {
    /// The first output frame was drawn.
    case started
    case camera(name: String, event: CameraEvent)
    /// A file or another source that ends by itself has ended; its last frame stays while others go on.
    case sourceEnded(name: String)
    case sourceFailed(SourceError)
    /// A stream went away: its layers do what they do without it, until it is back.
    case sourceLost(SourceError)
    /// A stream that went away is there again.
    case sourceReturned(name: String)
    case sinkFailed(SinkError)
    /// A sink leaves frames out until its disk has room, or works again.
    case sinkPaused(SinkError)
    /// A sink goes on in another file, after `leftOut` frames were dropped.
    case sinkResumed(name: String, file: String, leftOut: Int)
    /// A sink goes on after an incident that its user wants to know of: another encoder, a new connection.
    case sinkWarning(name: String, String)
    /// A change of the graph could not be drawn; the session goes on as it was.
    case changeRejected(SessionError)
    /// Drawing failed; the frame was left out.
    case drawingFailed(GLError)
    /// The GPU cannot read a camera's memory in place: its frames are copied.
    case sharingRefused(GLError)
    /// The GPU was reset, and its context was replaced. Carries the time that this took.
    case contextReplaced(after: Duration)
    /// The machine's pressure has changed, or the relief.
    case pressure(PressureEvent)
    /// A sensor of the machine is not believed any more, or is gone.
    case sensorFailed(SensorProblem)
    /// A camera keeps its exposure and white balance from now on; the controls that were set.
    case cameraMatched(name: String, controls: [String])
    /// A camera cannot keep its exposure or white balance.
    case matchingRefused(CaptureError)
    /// Frames took so long to draw, one after the other, that an effect was switched off: it is muted until somebody
    /// sets it back.
    case effectSwitchedOff(name: String, frameTime: Duration)
    /// Two drivers do not answer any more; the session goes on with the cameras that do.
    case driversHang(CaptureError)
    case stopped

    init(_ event: SinkEvent) {
        switch event {
        case .paused(let error): self = .sinkPaused(error)
        case .resumed(let sink, let path, let leftOut): self = .sinkResumed(name: sink, file: path, leftOut: leftOut)
        case .warning(let sink, let text): self = .sinkWarning(name: sink, text)
        }
    }

    public var description: String {
        switch self {
        case .started: "started"
        case .camera(let name, let event): "\(name): \(event)"
        case .sourceEnded(let name): "\(name): ended"
        case .sourceFailed(let error): error.description
        case .sourceLost(let error): "\(error); trying again"
        case .sourceReturned(let name): "\(name): is back"
        case .sinkFailed(let error): error.description
        case .sinkPaused(let error): "\(error); waiting for the disk"
        case .sinkResumed(let name, let file, let leftOut):
            "\(name): goes on in \(file), \(leftOut) frames were left out"
        case .sinkWarning(let name, let text): "\(name): \(text)"
        case .changeRejected(let error): "the change was not made: \(error)"
        case .contextReplaced(let time):
            "the GPU was reset: everything that draws was made anew in \(Int((time.inSeconds * 1000).rounded())) ms"
        case .sharingRefused(let error): "frames are copied to the GPU: \(error)"
        case .drawingFailed(let error): "a frame was not drawn: \(error)"
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
