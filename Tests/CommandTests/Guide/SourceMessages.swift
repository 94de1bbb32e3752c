import Foundation

/// The string literals in Swift sources, as users see them.
///
/// An ellipsis stands for each interpolated value.
enum SourceMessages {
    /// The string literals in the project's source files.
    static var all: [String] {
        get throws {
            let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appending(path: "../../../Sources").standardizedFileURL
            let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
            return try names.filter { $0.hasSuffix(".swift") }.flatMap { name in
                texts(in: try String(contentsOf: folder.appending(path: name), encoding: .utf8))
            }
        }
    }

    /// The string literals of a source.
    ///
    /// Literals that a plus sign joins are one string.
    static func texts(in source: String) -> [String] {
        var texts: [String] = []
        var joins = false
        for line in source.split(separator: "\n") {
            var rest = line.drop { $0 == " " }
            if rest.hasPrefix("//") { continue }
            while let start = rest.firstIndex(of: "\"") {
                let between = rest[..<start].filter { $0 != " " }
                if between.contains("//") { break }
                rest = rest[rest.index(after: start)...]
                let text = literal(&rest)
                if joins || between == "+", between.allSatisfy({ $0 == "+" }), !texts.isEmpty {
                    texts[texts.count - 1] += text
                } else {
                    texts.append(text)
                }
                joins = false
            }
            joins = rest.filter { $0 != " " } == "+"
        }
        return texts
    }

    /// Reads a string literal up to its closing quotation mark, and removes the literal from `rest`.
    private static func literal(_ rest: inout Substring) -> String {
        var text = ""
        while let character = rest.popFirst(), character != "\"" {
            guard character == "\\", let escaped = rest.popFirst() else {
                text.append(character)
                continue
            }
            guard escaped == "(" else {
                text.append(escaped == "n" ? "\n" : escaped)
                continue
            }
            var depth = 1
            while depth > 0, let inner = rest.popFirst() {
                if inner == "\"" { _ = literal(&rest) }
                depth += inner == "(" ? 1 : inner == ")" ? -1 : 0
            }
            text.append("…")
        }
        return text
    }
}
