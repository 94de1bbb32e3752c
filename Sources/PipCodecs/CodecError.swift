/// The reason why a picture or a video frame cannot be decoded or encoded.
package struct CodecError: Error, Equatable, CustomStringConvertible {
    /// The kind of failure, for callers that react to it.
    package enum Kind: Sendable {
        /// The data violates the format's definition, or is truncated.
        case damaged
        /// The kind or format of the picture is not supported, or gdk-pixbuf has no loader for it.
        case unsupported
        /// The picture exceeds a limit: the caller's, that of ``PictureLimits``, or that of the file format.
        case tooLarge
        /// Another reason, such as lack of memory, a missing library, or a layout that does not fit the picture.
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
    /// The problem in words, to follow ``subject`` and a colon; without a full stop.
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
