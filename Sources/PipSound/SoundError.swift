/// A failed operation on sound, described by a sentence that a user can act on.
public struct SoundError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of failure, for programs that react to it.
    public enum Kind: String, Sendable, CaseIterable {
        /// No microphone has the requested name.
        case notFound
        /// Several microphones match the requested name.
        case ambiguous
        /// The sound system, a microphone or a file cannot be used, because it is missing, in use or unreadable.
        case unavailable
        /// The format or setting is not supported.
        case unsupported
    }

    /// The kind of failure, by which programs choose their reaction.
    public let kind: Kind
    /// The thing concerned: a device's name, a path or a value.
    public let subject: String
    /// The failed operation, worded to follow "cannot": `find the microphone`.
    public let operation: String
    /// The reason, as a sentence without its full stop.
    public let reason: String
    /// Advice for the user; nil when no remedy is known.
    public let hint: String?

    package init(_ kind: Kind, subject: String, operation: String, reason: String, hint: String? = nil) {
        self.kind = kind
        self.subject = subject
        self.operation = operation
        self.reason = reason
        self.hint = hint
    }

    public var description: String {
        let sentence = "\(subject): cannot \(operation): \(reason)"
        return hint.map { "\(sentence) (\($0))" } ?? sentence
    }
}
