/// The error that prevented a session from starting, ended the session, or refused a change.
public enum SessionError: Error, Equatable, CustomStringConvertible {
    case graph(GraphError)
    case effect(EffectError)
    case camera(CaptureError)
    case source(SourceError)
    case sink(SinkError)
    case gpu(GLError)
    /// The session has run before: a session runs only once.
    case alreadyRan
    /// The session or output of a handle has ended. Carries `the session`, or the output's name after `the output`.
    case ended(String)
    /// The session has not opened the camera, or has closed it. Carries the camera's name.
    case notInSession(String)
    /// The graph belongs to another session that has not ended.
    case inUse
    /// A change or a still has read or changed handles of another session.
    case otherGraph
    /// No still picture could be taken. Carries the name of the node or `the session`, and the reason.
    case noPicture(of: String, reason: String)

    init(_ error: GraphError) {
        if case .badEffect(let effect) = error { self = .effect(effect) } else { self = .graph(error) }
    }

    /// Wraps an error of the session, the graph, or one output.
    ///
    /// Any other error counts as the end of the session.
    init(any error: any Error) {
        switch error {
        case let error as SessionError: self = error
        case let error as OutputFailure: self = .sink(error.error)
        case let error as GraphError: self = SessionError(error)
        default: self = .ended("the session")
        }
    }

    public var description: String {
        switch self {
        case .graph(let error): error.description
        case .effect(let error): error.description
        case .camera(let error): error.description
        case .source(let error): error.description
        case .sink(let error): error.description
        case .gpu(let error): error.description
        case .alreadyRan: "the session has run already: make a new one"
        case .ended(let what): "\(what) has ended: make a new one"
        case .notInSession(let camera):
            "\(camera) is not an open camera of this session: use a camera that is connected in the session's graph"
        case .inUse:
            "another session draws this graph: stop that session first, or connect another sink to its graph"
        case .noPicture(let subject, let reason): "no picture of \(subject): \(reason)"
        case .otherGraph:
            "a handle in this change belongs to another session: change each session by its own `configure`"
        }
    }
}
