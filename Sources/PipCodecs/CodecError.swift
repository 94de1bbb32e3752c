/// The reason why a picture cannot be decoded or encoded.
package struct CodecError: Error, Equatable, CustomStringConvertible {
    /// The kind of failure, for callers that react to it.
    package enum Kind: Sendable {
        /// The data violates the format's definition, or is truncated.
        case damaged
        /// The picture is valid, but PipCodecs does not support its kind.
        case unsupported
        /// The picture exceeds ``PictureLimits``, or the largest size that the file format allows.
        case tooLarge
        /// A library failed for another reason, such as lack of memory, or the caller's buffer does not fit.
        case failed
    }

    /// The position of the problem: a byte offset in the file, or a row of the picture, each from 0.
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

    /// The path of the file or of the camera, or the codec's name, such as `JPEG decoder`.
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

    /// The problem and its position, without ``subject``.
    package var detail: String { position.map { "\(problem) (\($0))" } ?? problem }

    package var description: String { "\(subject): \(detail)" }
}
