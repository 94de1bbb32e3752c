/// The identity of a node of a graph, such as a frame's source, or of a layer.
///
/// Every new identity equals itself only.
public struct NodeID: Hashable, Sendable {
    private final class Token: Sendable {}
    private let token = Token()

    package init() {}

    public static func == (left: NodeID, right: NodeID) -> Bool { left.token === right.token }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(token)) }
}
