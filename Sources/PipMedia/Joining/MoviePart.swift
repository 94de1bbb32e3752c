#if Media
/// The mark in a movie file that is one part of a movie composed in parts, perhaps on several machines.
///
/// ``init(ofFile:)`` reads the mark from the file's comment, so that you can tell which parts exist. ``MovieJoin``
/// checks with the marks that parts belong together.
public struct MoviePart: Sendable, Hashable {
    /// The part's number, counted from 0.
    public let index: Int
    /// The number of parts in the movie.
    public let count: Int
    /// A key of the movie, the same in all its parts: letters and digits.
    public let whole: String

    private static let prefix = "pip-compose-part"

    /// Creates the mark of a part.
    ///
    /// - Parameters:
    ///   - index: The part's number, counted from 0.
    ///   - count: The number of parts, above `index`.
    ///   - whole: A key of the movie, the same in all its parts. Characters other than ASCII letters and digits are
    ///     dropped.
    public init(_ index: Int, of count: Int, whole: String) {
        precondition(index >= 0 && index < count, "a part's number must be at least 0, and below the number of parts")
        self.index = index
        self.count = count
        self.whole = whole.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    /// Reads the mark of a movie file; nil for a file without a mark, and for a file that is not a readable movie.
    public init?(ofFile path: String) {
        guard let reader = try? PacketReader(path), (try? reader.nextPicture()) != nil,
            let part = reader.comment.flatMap({ MoviePart(comment: $0) })
        else { return nil }
        self = part
    }

    /// Parses the comment of a movie file; nil for a comment that is not a mark.
    init?(comment: String) {
        let fields = comment.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count == 3, fields[0] == Self.prefix else { return nil }
        let numbers = fields[1].split(separator: "/").map { Int($0) }
        guard numbers.count == 2, let index = numbers[0], let count = numbers[1], index >= 0, index < count else {
            return nil
        }
        self.init(index, of: count, whole: String(fields[2]))
    }

    /// The mark as the comment of a movie file; Matroska's muxer escapes none of its characters.
    var comment: String { "\(Self.prefix):\(index)/\(count):\(whole)" }
}
#endif
