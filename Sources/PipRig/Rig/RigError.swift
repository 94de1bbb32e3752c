/// A change or query that a composition refuses, as a sentence without its full stop.
public struct RigError: Error, Equatable, CustomStringConvertible {
    /// The kind of refusal.
    public enum Kind: Sendable {
        /// The named thing does not exist.
        case unknown
        /// The request itself is not possible.
        case invalid
        /// The request conflicts with the present composition.
        case conflict
        /// The machine, a device or a server cannot do it.
        case unavailable
    }

    /// The kind of refusal.
    public let kind: Kind
    public let description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
