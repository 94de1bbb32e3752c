/// A change or a question that a composition refuses, as a sentence without its full stop.
public struct RigError: Error, Equatable, CustomStringConvertible {
    /// The kind of refusal.
    public enum Kind: Sendable {
        /// What it is about is not there.
        case unknown
        /// It is not possible as it was said.
        case invalid
        /// It does not fit what is there now.
        case conflict
        /// The machine, a device or a server does not do it.
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
