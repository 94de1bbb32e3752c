import PipRig

/// A table of text whose columns are aligned.
struct TextTable {
    private var rows: [[String]] = []
    private let gap: String

    init(gap: Int = 2) { self.gap = String(repeating: " ", count: gap) }

    mutating func add(_ row: [String]) { rows.append(row) }

    /// The lines of the table, without trailing spaces.
    ///
    /// Empty columns are left out.
    var lines: [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() where widths[column] > 0 {
                if column > 0 { line += gap }
                line += cell + String(repeating: " ", count: widths[column] - cell.count)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}

/// Wraps text between words, so that lines have at most `width` characters if no word is longer.
func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
        if !line.isEmpty, line.count + 1 + word.count > width {
            lines.append(line)
            line = ""
        }
        line += line.isEmpty ? String(word) : " \(word)"
    }
    return line.isEmpty ? lines : lines + [line]
}
