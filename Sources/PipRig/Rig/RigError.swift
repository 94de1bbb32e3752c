/// A change or a query that a composition refuses.
///
/// The description is a sentence without a full stop.
public struct RigError: Error, Equatable, CustomStringConvertible {
    /// The kind of refusal, from which programs derive an exit status or an HTTP status.
    public enum Kind: Sendable {
        /// A picture, scene, effect or other element of the given name does not exist.
        case unknown
        /// The request contains a mistake, such as an invalid name, or an option that does not fit its picture.
        case invalid
        /// The request does not fit the current composition.
        case conflict
        /// The machine, a device or a server cannot do what was requested.
        case unavailable
    }

    /// The kind of refusal, for programs; the description is for users.
    public let kind: Kind
    public let description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
