/// A file path with or without a field for the frame's number, such as `frames/%05d.png`.
///
/// One field is allowed: `%d`, or `%0Nd` with N from 1 to 9 digits, filled with zeros. `%%` is a percent sign.
struct PathPattern: Equatable {
    private let before: [UInt8]
    private let after: [UInt8]
    /// The least number of digits; nil for a pattern without a field.
    private let digits: Int?

    /// The folder in the pattern; empty for a pattern that is a file's name alone.
    let folder: String

    /// Parses a pattern.
    ///
    /// - Throws: ``SinkError`` that explains the mistake and the remedy.
    init(_ pattern: String) throws(SinkError) {
        func mistake(_ reason: String) -> SinkError { SinkError(pattern, "name files", .invalidOptions, reason) }
        guard !pattern.isEmpty, !pattern.hasSuffix("/") else { throw mistake("a file's name is missing") }
        var parts: (before: [UInt8], after: [UInt8]) = ([], [])
        var digits: Int?
        var rest = Array(pattern.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte != 0 else { throw mistake("a path cannot have a zero byte") }
            var literal = byte
            if byte == UInt8(ascii: "%") {
                guard rest.first == byte else {
                    guard let field = Self.field(&rest) else {
                        throw mistake(
                            "after % comes d, or 0Nd for a number of N digits, as in %05d; %% is a percent sign")
                    }
                    guard digits == nil else { throw mistake("a pattern may have only one field for the number") }
                    digits = field
                    continue
                }
                rest.removeFirst()
                literal = byte
            }
            if digits == nil { parts.before.append(literal) } else { parts.after.append(literal) }
        }
        guard digits == nil || !parts.after.contains(UInt8(ascii: "/")) else {
            throw mistake("the number belongs to the file's name, not to its folder's")
        }
        self.digits = digits
        (before, after) = parts
        if let end = before.lastIndex(of: UInt8(ascii: "/")) {
            folder = String(decoding: before[..<max(end, 1)], as: UTF8.self)
        } else {
            folder = ""
        }
    }

    /// True when the pattern has a field, so that each frame is written to its own file.
    var isNumbered: Bool { digits != nil }

    /// Writes the path of a frame's file as a C string, into memory that is reused.
    ///
    /// - Parameters:
    ///   - number: The number for the field.
    ///   - suffix: The suffix of a hidden name for an incomplete file; nil for the final name.
    ///   - path: The memory, whose contents are replaced.
    func write(_ number: Int, partial suffix: StaticString? = nil, to path: inout [CChar]) {
        path.removeAll(keepingCapacity: true)
        for byte in before { path.append(CChar(truncatingIfNeeded: byte)) }
        if let digits {
            let start = path.count
            var rest = number
            repeat {
                path.insert(CChar(UInt8(ascii: "0")) + CChar(rest % 10), at: start)
                rest /= 10
            } while rest > 0 || path.count - start < digits
        }
        for byte in after { path.append(CChar(truncatingIfNeeded: byte)) }
        if let suffix {
            let slash = CChar(UInt8(ascii: "/"))
            path.insert(CChar(UInt8(ascii: ".")), at: (path.lastIndex(of: slash) ?? -1) + 1)
            for index in 0..<suffix.utf8CodeUnitCount {
                path.append(CChar(truncatingIfNeeded: unsafe suffix.utf8Start[index]))
            }
        }
        path.append(0)
    }

    /// Parses a field after its percent sign; returns the least number of digits, or nil for an invalid field.
    private static func field(_ rest: inout ArraySlice<UInt8>) -> Int? {
        guard let first = rest.popFirst() else { return nil }
        if first == UInt8(ascii: "d") { return 1 }
        guard first == UInt8(ascii: "0"), let digit = rest.popFirst(), rest.popFirst() == UInt8(ascii: "d"),
            (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(digit)
        else { return nil }
        return Int(digit - UInt8(ascii: "0"))
    }
}
