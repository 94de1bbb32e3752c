#if Control
/// The bytes of a file that the header `Range` asks for.
///
/// A header that is invalid or asks for several ranges is ignored.
///
/// Source: RFC 9110, 14.2 "Range".
enum ByteRange: Equatable {
    case whole
    case part(Range<Int>)
    /// The range begins behind the end of the file.
    case unsatisfiable

    /// - Parameters:
    ///   - header: The value of the header; nil for a request without it.
    ///   - size: The size of the file in bytes.
    init(_ header: String?, of size: Int) {
        self = .whole
        guard let header = header?.lowercased(), header.hasPrefix("bytes=") else { return }
        let ends = header.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let (first, last) = Self.numbers(ends[0], ends[1]) else { return }
        switch (first, last) {
        case (nil, nil): return
        case (nil, let count?): self = Self.part(from: size - min(count, size), to: size, of: size)
        case (let first?, nil): self = Self.part(from: first, to: size, of: size)
        case (let first?, let last?):
            if first <= last { self = Self.part(from: first, to: min(last, size - 1) + 1, of: size) }
        }
    }

    private static func part(from start: Int, to end: Int, of size: Int) -> ByteRange {
        start < size ? .part(start..<end) : .unsatisfiable
    }

    /// Parses two numbers, each of which may be missing; nil for other texts.
    private static func numbers(_ first: Substring, _ last: Substring) -> (Int?, Int?)? {
        guard (first + last).utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        // A number that is too large for an integer is behind the end of every file.
        func number(_ text: Substring) -> Int? { text.isEmpty ? nil : Int(text) ?? Int.max - 1 }
        return (number(first), number(last))
    }
}
#endif
