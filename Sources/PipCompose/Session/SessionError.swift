/// What keeps a session from starting, or ended it.
public enum SessionError: Error, Equatable, CustomStringConvertible {
    case graph(GraphError)
    case effect(EffectError)
    case camera(CaptureError)
    case source(SourceError)
    case sink(SinkError)
    case gpu(GLError)
    /// A session runs once.
    case alreadyRan

    init(_ error: GraphError) {
        if case .badEffect(let effect) = error { self = .effect(effect) } else { self = .graph(error) }
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
        }
    }
}
