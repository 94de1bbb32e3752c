/// A mistake in what the user typed, as a sentence without its full stop.
struct UsageError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// The same mistake, with what it is about in front.
    func about(_ subject: String) -> UsageError { UsageError("\(subject): \(description)") }
}
