/// A mistake in what the user typed, as a sentence without its full stop.
public struct UsageError: Error, Equatable, CustomStringConvertible {
    public let description: String

    package init(_ description: String) { self.description = description }

    /// The same mistake, with what it is about in front.
    package func about(_ subject: String) -> UsageError { UsageError("\(subject): \(description)") }
}
