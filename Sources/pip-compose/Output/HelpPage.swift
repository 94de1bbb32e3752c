import FoundationEssentials
import Glibc

/// The explanation in a `--help` text, laid out for the width of the terminal.
struct HelpPage: ExpressibleByArrayLiteral {
    enum Part {
        case paragraph(String)
        /// A command line, indented below the paragraph before it.
        case command(String)
        /// A heading, and rows of terms with their descriptions.
        case table(String, KeyValuePairs<String, String>)
    }

    private let parts: [Part]

    init(arrayLiteral parts: Part...) { self.parts = parts }

    /// The width of help texts, in columns: `COLUMNS`, the terminal's width, or 80, but at least 50 and at most 120.
    ///
    /// Descriptions of options need 50 columns, and lines beyond 120 columns are hard to read.
    static let columns = min(
        max(
            ProcessInfo.processInfo.environment["COLUMNS"].flatMap(Int.init) ?? Terminal.standardOutput.columns ?? 80,
            50), 120)

    /// The page as text, laid out for `columns`.
    ///
    /// The last column stays free, because the argument parser wraps a line that fills the whole width.
    var text: String { lines(width: Self.columns - 1).joined(separator: "\n") }

    /// The synopses of commands, one on each line, for the text after the argument parser's `USAGE: `.
    static func usage(_ commands: String...) -> String {
        commands.flatMap { commandLines($0, width: columns - 1 - "USAGE: ".count) }.joined(separator: "\n")
    }

    /// Wraps the lines of a help text that the argument parser leaves too long.
    ///
    /// Returns other messages unchanged.
    static func fitted(_ message: String) -> String {
        guard message.hasPrefix("OVERVIEW: ") else { return message }
        return message.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            guard line.count > columns else { return [String(line)] }
            let indent = String(line.prefix { $0 == " " })
            return wrapped(String(line), width: columns - indent.count).map { indent + $0 }
        }.joined(separator: "\n")
    }

    /// The lines of all parts, wrapped at `width` columns.
    func lines(width: Int) -> [String] {
        var lines: [String] = []
        for part in parts {
            switch part {
            case .paragraph(let text):
                if !lines.isEmpty { lines.append("") }
                lines += wrapped(text, width: width)
            case .command(let text):
                lines += Self.commandLines(text, width: width - 2, continuation: " \\").map { "  \($0)" }
            case .table(let heading, let rows):
                if !lines.isEmpty { lines.append("") }
                lines.append("\(heading):")
                lines += Self.tableLines(rows, width: width)
            }
        }
        return lines
    }

    /// The lines of a table, with the columns that the argument parser uses for its own lists.
    private static func tableLines(_ rows: KeyValuePairs<String, String>, width: Int) -> [String] {
        let start = min(26, (rows.map(\.key.count).max() ?? 0) + 4)
        let indent = String(repeating: " ", count: start)
        return rows.flatMap { term, description in
            var lines = wrapped(term, width: width - 2).map { "  \($0)" }
            let cell = wrapped(description, width: width - start).map { indent + $0 }
            // The description starts on the term's line if two spaces fit between them.
            guard let last = lines.last, last.count + 2 <= start, let first = cell.first else { return lines + cell }
            lines[lines.count - 1] = last + first.dropFirst(last.count)
            return lines + cell.dropFirst()
        }
    }

    /// Wraps a command line; a line break comes only between options or arguments.
    private static func commandLines(_ text: String, width: Int, continuation: String = "") -> [String] {
        var lines: [String] = []
        var line = ""
        for piece in pieces(text) {
            if !line.isEmpty, line.count + 1 + piece.count + continuation.count > width {
                lines.append(line + continuation)
                line = "  "
            } else if !line.isEmpty {
                line += " "
            }
            line += piece
        }
        return lines + [line]
    }

    /// Splits a command line into the pieces that must stay on one line.
    ///
    /// A bracketed group, and an option with its value, are one piece each.
    private static func pieces(_ text: String) -> [String] {
        var pieces: [String] = []
        for word in text.split(separator: " ") {
            let isOpen = pieces.last.map { piece in
                piece.count { $0 == "[" } > piece.count { $0 == "]" }
                    || piece.hasPrefix("-") && !piece.contains(" ") && !word.hasPrefix("-") && !word.hasPrefix("[")
            }
            if isOpen == true { pieces[pieces.count - 1] += " \(word)" } else { pieces.append(String(word)) }
        }
        return pieces
    }
}
