internal import PipConcurrency

/// A pattern for the names of successive files: `drive-%Y%m%d-%H%M%S.mp4`, `part-%05d.mkv`, `still.jpg`.
///
/// `%0Nd` is the file's number, counted from 1, with at least N digits. The time fields, such as `%H`, have the meaning
/// that `strftime` gives them, in local time.
package struct FileNames: Equatable {
    private enum Part: Equatable {
        case text(String)
        case number(digits: Int)
        case time(Character)
    }

    package let pattern: String
    /// The folder of all files; `.` for the current folder.
    package let folder: String
    private let parts: [Part]

    /// Parses a pattern.
    ///
    /// - Throws: ``SinkError`` when the pattern is invalid.
    package init(_ pattern: String) throws(SinkError) {
        func mistake(_ reason: String) -> SinkError { SinkError(pattern, "name files", .invalidOptions, reason) }
        let slash = pattern.lastIndex(of: "/")
        let name = slash.map { String(pattern[pattern.index(after: $0)...]) } ?? pattern
        let before = slash.map { String(pattern[...$0]) } ?? ""
        guard !name.isEmpty else { throw mistake("a file's name is missing") }
        guard !pattern.utf8.contains(0) else { throw mistake("a path cannot have a zero byte") }
        guard !before.contains("%") else {
            throw mistake("fields such as %H belong to the file's name, not to its folder's")
        }
        self.pattern = pattern
        folder = before.isEmpty ? "." : before == "/" ? before : String(before.dropLast())
        parts = try Self.parts(of: name, mistake)
    }

    private static func parts(of name: String, _ mistake: (String) -> SinkError) throws(SinkError) -> [Part] {
        var parts: [Part] = []
        var text = ""
        var rest = name[...]
        while let character = rest.popFirst() {
            guard character == "%" else {
                text.append(character)
                continue
            }
            guard let field = rest.popFirst() else {
                throw mistake("after % comes a field, as in %H; %% is a percent sign")
            }
            if field == "%" {
                text.append(field)
                continue
            }
            if !text.isEmpty { parts.append(.text(text)) }
            text = ""
            if field == "0" {
                guard let digit = rest.popFirst()?.wholeNumberValue, (1...9).contains(digit), rest.popFirst() == "d"
                else {
                    throw mistake("the number is written as %0Nd with N from 1 to 9, as in %05d")
                }
                parts.append(.number(digits: digit))
            } else if "YmdHMSjyFTsaAbBzZ".contains(field) {
                parts.append(.time(field))
            } else {
                throw mistake(
                    "%\(field) is not a field; fields are %Y %m %d %H %M %S %j %y %F %T %s %a %A %b %B %z %Z and %05d")
            }
        }
        return text.isEmpty ? parts : parts + [.text(text)]
    }

    /// True when the pattern has fields, and so can name more than one file.
    package var hasFields: Bool { parts.contains { if case .text = $0 { false } else { true } } }

    /// True when the pattern has a number, such as `%05d`.
    package var hasNumber: Bool { parts.contains { if case .number = $0 { true } else { false } } }

    /// True when the pattern has a time field, such as `%H`.
    package var hasTime: Bool { parts.contains { if case .time = $0 { true } else { false } } }

    /// Returns the pattern with `-%05d` before its extension or at its end, or the pattern itself if it has a field.
    ///
    /// - Throws: ``SinkError`` when the changed pattern is invalid.
    package func numbered() throws(SinkError) -> FileNames {
        guard !hasFields else { return self }
        let name = pattern[(pattern.lastIndex(of: "/") ?? pattern.startIndex)...]
        let dot = name.lastIndex(of: ".") ?? pattern.endIndex
        return try FileNames(String(pattern[..<dot] + "-%05d" + pattern[dot...]))
    }

    /// Makes a file's path.
    ///
    /// - Parameters:
    ///   - number: The number of the file, from 1.
    ///   - time: The time, in seconds since 1970.
    ///   - again: A number that distinguishes files of the same name; 1 for the first file.
    /// - Returns: The path.
    package func path(number: Int, at time: Int, again: Int = 1) -> String {
        let moment = WallTime(sinceEpoch: .seconds(time))
        var name = ""
        for part in parts {
            switch part {
            case .text(let text): name += text
            case .number(let digits):
                let text = String(number)
                name += String(repeating: "0", count: max(0, digits - text.count)) + text
            case .time(let field): name += moment.text("%\(field)")
            }
        }
        if again > 1 {
            let dot = name.lastIndex(of: ".") ?? name.endIndex
            name.insert(contentsOf: "-\(again)", at: dot)
        }
        return folder == "." && !pattern.hasPrefix("./") ? name : (folder == "/" ? "/" : folder + "/") + name
    }

    /// True when a file's name, without its folder, may come from this pattern.
    package func matches(_ name: String) -> Bool { Self.matches(Array(name.unicodeScalars)[...], parts[...]) }

    /// True when the name consists of the parts, in order.
    ///
    /// A number such as `-2` may stand before the extension of the last text.
    private static func matches(_ name: ArraySlice<Unicode.Scalar>, _ parts: ArraySlice<Part>) -> Bool {
        guard let part = parts.first else { return name.isEmpty }
        let rest = parts.dropFirst()
        switch part {
        case .text(let text):
            let scalars = Array(text.unicodeScalars)
            if name.starts(with: scalars) { return matches(name.dropFirst(scalars.count), rest) }
            guard rest.isEmpty, let dot = scalars.lastIndex(of: "."), name.starts(with: scalars[..<dot]) else {
                return false
            }
            let mark = name.dropFirst(dot)
            guard mark.first == "-" else { return false }
            let digits = mark.dropFirst().prefix { ("0"..."9").contains($0) }
            return !digits.isEmpty && Array(mark.dropFirst(1 + digits.count)) == Array(scalars[dot...])
        case .number(let digits):
            let count = name.prefix { ("0"..."9").contains($0) }.count
            return count >= digits && matches(name.dropFirst(count), rest)
        case .time(let field):
            let widths: [Character: Int] = [
                "Y": 4, "m": 2, "d": 2, "H": 2, "M": 2, "S": 2, "j": 3, "y": 2, "F": 10, "T": 8,
            ]
            if let width = widths[field] {
                return name.prefix(width).count == width
                    && name.prefix(width).allSatisfy { ("0"..."9").contains($0) || $0 == "-" || $0 == ":" }
                    && matches(name.dropFirst(width), rest)
            }
            return (1...max(1, name.count)).contains { matches(name.dropFirst($0), rest) }
        }
    }
}
