/// Something that happened to a running session.
public enum SessionEvent: Sendable, CustomStringConvertible {
    /// The first output frame was drawn.
    case started
    case camera(name: String, event: CameraEvent)
    case sourceEnded(name: String)
    case sourceFailed(SourceError)
    case sinkFailed(SinkError)
    /// A change of the graph could not be drawn; the session goes on as it was.
    case changeRejected(SessionError)
    /// Drawing failed; the frame was left out.
    case drawingFailed(GLError)
    case stopped

    public var description: String {
        switch self {
        case .started: "started"
        case .camera(let name, let event): "\(name): \(event)"
        case .sourceEnded(let name): "\(name): ended"
        case .sourceFailed(let error): error.description
        case .sinkFailed(let error): error.description
        case .changeRejected(let error): "the change was not made: \(error)"
        case .drawingFailed(let error): "a frame was not drawn: \(error)"
        case .stopped: "stopped"
        }
    }
}
