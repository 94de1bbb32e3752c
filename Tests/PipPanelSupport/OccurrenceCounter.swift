/// Counts the occurrences of a text in bytes that arrive in parts.
///
/// Source: Knuth, Morris and Pratt, "Fast Pattern Matching in Strings".
package struct OccurrenceCounter {
    private let text: [UInt8]
    /// The length of the longest shorter prefix with which a prefix of the text ends, for each prefix.
    private let borders: [Int]
    /// The number of bytes of the text that the latest bytes match.
    private var matched = 0
    /// The number of occurrences so far, which do not overlap.
    package private(set) var count = 0

    /// Creates a counter of a text that is not empty.
    package init(of text: String) {
        let text = Array(text.utf8)
        var borders = [0]
        for byte in text.dropFirst() {
            var length = borders[borders.count - 1]
            while length > 0 && byte != text[length] { length = borders[length - 1] }
            borders.append(byte == text[length] ? length + 1 : 0)
        }
        (self.text, self.borders) = (text, borders)
    }

    /// Counts the occurrences that end within the next bytes.
    package mutating func take(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            while matched > 0 && byte != text[matched] { matched = borders[matched - 1] }
            if byte == text[matched] { matched += 1 }
            guard matched == text.count else { continue }
            count += 1
            matched = 0
        }
    }
}
