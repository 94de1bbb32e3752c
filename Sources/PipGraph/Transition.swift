/// The way in which layers appear and disappear when a running composition changes.
public enum Transition: Sendable, Hashable {
    /// The layer appears or disappears at once.
    case cut
    /// The layer's opacity changes gradually.
    case fade
    /// The layer slides over an edge of the canvas.
    case slide(CanvasEdge)
}

/// An edge of a canvas, over which a layer slides.
public enum CanvasEdge: String, Sendable, CaseIterable {
    case left, top, right, bottom
}
