/// A mistake in the user's input.
///
/// The description is a sentence without a full stop.
public struct UsageError: Error, Equatable, CustomStringConvertible {
    public let description: String

    package init(_ description: String) { self.description = description }

    /// Returns the same mistake, with `subject` and a colon before the description; unchanged for an empty subject.
    package func about(_ subject: String) -> UsageError {
        subject.isEmpty ? self : UsageError("\(subject): \(description)")
    }
}

#if !Media
/// The reason why a program that was built without media refuses movies, streams and sound.
let withoutMedia =
    "this pip-compose was built without movies, streams and sound; build it with the trait Media, which is on by default"
#endif
