#if Media
/// The mark in a movie file that is one part of a whole.
///
/// The parts are composed separately, perhaps on several machines. Use it to tell which parts exist: ``init(ofFile:)``
/// reads it from a file's comment. ``MovieJoin`` checks with it that parts fit together.
public struct MoviePart: Sendable, Hashable {
    /// The part's number, counted from 0.
    public let index: Int
    /// The number of parts.
    public let count: Int
    /// A key of the whole, the same in all parts: letters and digits.
    public let whole: String

    private static let prefix = "pip-compose-part"

    /// - Parameters:
    ///   - index: The part's number, counted from 0.
    ///   - count: The number of parts, above `index`.
    ///   - whole: A key of the whole, the same in all parts: letters and digits.
    public init(_ index: Int, of count: Int, whole: String) {
        precondition(index >= 0 && index < count, "a part's number lies below the number of parts")
        self.index = index
        self.count = count
        self.whole = whole.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    /// Reads the mark of a movie file; nil for a file that is a whole, or no movie.
    public init?(ofFile path: String) {
        guard let reader = try? PacketReader(path), (try? reader.nextPicture()) != nil,
            let part = reader.comment.flatMap({ MoviePart(comment: $0) })
        else { return nil }
        self = part
    }

    /// Parses a file's comment; nil for a comment of another kind.
    init?(comment: String) {
        let fields = comment.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count == 3, fields[0] == Self.prefix else { return nil }
        let numbers = fields[1].split(separator: "/").map { Int($0) }
        guard numbers.count == 2, let index = numbers[0], let count = numbers[1], index >= 0, index < count else {
            return nil
        }
        self.init(index, of: count, whole: String(fields[2]))
    }

    /// The comment's text; Matroska's muxer escapes none of its characters.
    var comment: String { "\(Self.prefix):\(index)/\(count):\(whole)" }
}
#endif
