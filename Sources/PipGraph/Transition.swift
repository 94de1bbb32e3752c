/// The way in which layers appear and disappear, for a change of a running composition.
public enum Transition: Sendable, Hashable {
    /// An immediate change.
    case cut
    /// A change of the opacity.
    case fade
    /// A motion over an edge of the canvas.
    case slide(CanvasEdge)
}

/// An edge of a canvas.
public enum CanvasEdge: String, Sendable, CaseIterable {
    case left, top, right, bottom
}
