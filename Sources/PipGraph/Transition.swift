/// The way in which layers come and go.
public enum Transition: Sendable, Hashable {
    /// At once.
    case cut
    /// By their opacity.
    case fade
    /// Over an edge of the canvas.
    case slide(CanvasEdge)
}

/// An edge of a canvas.
public enum CanvasEdge: String, Sendable, CaseIterable {
    case left, top, right, bottom
}
