/// A mistake in the user's input, as a sentence without its full stop.
public struct UsageError: Error, Equatable, CustomStringConvertible {
    public let description: String

    package init(_ description: String) { self.description = description }

    /// The same mistake, with its subject in front.
    package func about(_ subject: String) -> UsageError { UsageError("\(subject): \(description)") }
}
