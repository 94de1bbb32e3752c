/// Bytes that are not the picture they claim to be, or a picture that cannot be handled.
package struct CodecError: Error, Equatable, CustomStringConvertible {
    /// The kind of failure, by which a caller decides.
    package enum Kind: Sendable {
        /// Not what the format's definition allows, or cut off.
        case damaged
        /// Allowed, but of a kind that is not handled.
        case unsupported
        /// Larger than ``PictureLimits`` allows.
        case tooLarge
        /// The library failed for a reason of its own, such as no memory.
        case failed
    }

    /// Where in the bytes it is.
    package enum Position: Equatable, Sendable, CustomStringConvertible {
        case byte(Int)
        case row(Int)

        package var description: String {
            switch self {
            case .byte(let offset): "at byte \(offset)"
            case .row(let row): "in row \(row)"
            }
        }
    }

    /// The file's path, or the camera's.
    package let subject: String
    package let kind: Kind
    /// The problem, as a sentence without its full stop.
    package let problem: String
    package let position: Position?

    package init(_ subject: String, _ kind: Kind, _ problem: String, _ position: Position? = nil) {
        self.subject = subject
        self.kind = kind
        self.problem = problem
        self.position = position
    }

    /// The problem and its position, without the subject.
    package var detail: String { position.map { "\(problem) (\($0))" } ?? problem }

    package var description: String { "\(subject): \(detail)" }
}
