#if Media
/// Says which part of a whole a movie file has: one of several that were composed by themselves, perhaps on other
/// machines.
///
/// The file carries it as its comment; ``MovieJoin`` checks by it that parts fit together.
public struct MoviePart: Sendable, Hashable {
    /// The part, counted from 0.
    public let index: Int
    /// The number of parts.
    public let count: Int
    /// Stands for what all parts are made of: the same text in all of them, of letters and digits.
    public let whole: String

    private static let prefix = "pip-compose-part"

    /// - Parameters:
    ///   - index: The part, counted from 0.
    ///   - count: The number of parts; above `index`.
    ///   - whole: Stands for what all parts are made of; of letters and digits.
    public init(_ index: Int, of count: Int, whole: String) {
        precondition(index >= 0 && index < count, "a part's number lies below the number of parts")
        self.index = index
        self.count = count
        self.whole = whole.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    /// Reads the part that a movie file says it has; nil for a whole, and for what is no movie.
    public init?(ofFile path: String) {
        guard let reader = try? PacketReader(path), (try? reader.nextPicture()) != nil,
            let part = reader.comment.flatMap({ MoviePart(comment: $0) })
        else { return nil }
        self = part
    }

    /// Reads a file's comment; nil for one of another kind.
    init?(comment: String) {
        let fields = comment.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count == 3, fields[0] == Self.prefix else { return nil }
        let numbers = fields[1].split(separator: "/").map { Int($0) }
        guard numbers.count == 2, let index = numbers[0], let count = numbers[1], index >= 0, index < count else {
            return nil
        }
        self.init(index, of: count, whole: String(fields[2]))
    }

    /// The comment: Matroska's muxer writes no marks of escape around these characters.
    var comment: String { "\(Self.prefix):\(index)/\(count):\(whole)" }
}
#endif
