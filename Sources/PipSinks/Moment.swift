public import PipFrames

/// A moment to keep, such as that of a blow or of a press of a button.
///
/// A session marks moments. Each recording of clips then writes a clip around the moment.
public struct Moment: Sendable, Hashable, CustomStringConvertible {
    /// The name, such as `brake`: one line of at most 80 characters.
    public let name: String
    /// The cause, such as `0.6 g`: one line of at most 200 characters; nil when unknown.
    public let reason: String?
    /// The time of the moment, on the session's clock.
    public let time: Timestamp

    /// Creates a moment.
    ///
    /// - Parameters:
    ///   - name: The name. Without a visible character, the name is `moment`.
    ///   - reason: The cause.
    ///   - time: The time of the moment.
    public init(_ name: String, reason: String? = nil, at time: Timestamp) {
        let line = Self.line(name, most: 80)
        self.name = line.isEmpty ? "moment" : line
        self.reason = reason.map { Self.line($0, most: 200) }.flatMap { $0.isEmpty ? nil : $0 }
        self.time = time
    }

    /// The name, with the cause in parentheses.
    public var description: String { reason.map { "\(name) (\($0))" } ?? name }

    /// Returns the beginning of a text in one line, without control characters and without spaces at its ends.
    private static func line(_ text: String, most: Int) -> String {
        let visible = text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) }
        let words = String(visible).split(separator: " ")
        return String(words.joined(separator: " ").prefix(most))
    }
}
