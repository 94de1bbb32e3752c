/// Splits bytes into lines of text with a bounded length.
package struct LineSplitter: Sendable {
    /// The longest line of a message, in bytes.
    package static let longest = 1000

    private let limit: Int
    private var line: [UInt8] = []
    private var isEmpty = true

    /// - Parameter limit: The longest line, in bytes; the rest of a longer line is left out.
    package init(limit: Int = Self.longest) { self.limit = limit }

    /// Takes bytes in the order in which they arrive.
    ///
    /// - Returns: The lines that are complete, without their ends and without control characters.
    package mutating func take(_ bytes: [UInt8]) -> [String] {
        var lines: [String] = []
        for byte in bytes {
            isEmpty = false
            if byte == UInt8(ascii: "\n") {
                if let text = end() { lines.append(text) }
            } else if line.count < limit, byte == UInt8(ascii: "\t") || byte >= 0x20, byte != 0x7f {
                line.append(max(byte, UInt8(ascii: " ")))
            }
        }
        return lines
    }

    /// Ends the input.
    ///
    /// - Returns: The last line; nil when the input ended with the end of a line.
    package mutating func end() -> String? {
        guard !isEmpty else { return nil }
        defer { (line, isEmpty) = ([], true) }
        return String(decoding: line, as: UTF8.self)
    }
}
