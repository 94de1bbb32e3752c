internal import PipCompose
internal import PipFrames
internal import PipText

/// The values in a CSV document, in its order.
///
/// The first column is the time: a date and time as in RFC 3339, seconds or milliseconds since 1970, or seconds since
/// the beginning. The other columns are values by the names in the first line. In a document of `--track` they are a
/// value's name and the value.
///
/// Source: RFC 4180.
struct CSVDocument {
    /// The values of a line, at the time since 1970 or since the beginning.
    private(set) var points: [(time: Duration, values: [String: Telemetry.Value])] = []
    /// True for times since 1970; false for times since the beginning.
    private(set) var isDated = true

    /// Reads a document; lines without a time are left out, and those whose time is of another kind than the first one.
    init(_ text: String) {
        var rows = Rows(text.unicodeScalars)
        guard let head = rows.next(), head.count >= 2 else { return }
        let names = head.dropFirst().map(Self.name)
        let isTrack = names == ["name", "value"]
        while points.count <= RecordedTrack.mostPoints, let row = rows.next() {
            guard row.count >= 2, let (time, isDate) = Self.time(row[0]) else { continue }
            if points.isEmpty { isDated = isDate }
            guard isDate == isDated else { continue }
            let members = isTrack ? [(row[1], row.count > 2 ? row[2] : "")] : Array(zip(names, row.dropFirst()))
            var values: [String: Telemetry.Value] = [:]
            for (name, text) in members where ReadoutFormat.isName(name) && !text.isEmpty {
                values[name] = Double(text).map { .number($0) } ?? .text(text)
            }
            points.append((time, values))
        }
    }

    /// Reads a time, and whether it is one since 1970; small numbers are seconds since the beginning.
    private static func time(_ text: String) -> (Duration, isDate: Bool)? {
        if let date = WallTime(dateTime: text) { return (date.sinceEpoch, true) }
        guard let number = Double(text), (0..<1e13).contains(number) else { return nil }
        return (.seconds(number < 1e11 ? number : number / 1000), number >= 1e8)
    }

    /// Makes a name that texts can use: `speed (km/h)` becomes `speed_km_h`.
    private static func name(_ title: String) -> String {
        title.split { !($0.isLetter || $0.isNumber || "_-.".contains($0)) }.joined(separator: "_")
    }

    /// The lines of a document, and the fields in them.
    private struct Rows {
        private let text: String.UnicodeScalarView
        private var index: String.UnicodeScalarView.Index

        init(_ text: String.UnicodeScalarView) { (self.text, index) = (text, text.startIndex) }

        mutating func next() -> [String]? {
            guard index < text.endIndex else { return nil }
            var (fields, field, isQuoted) = ([String](), String.UnicodeScalarView(), false)
            while index < text.endIndex {
                let scalar = text[index]
                index = text.index(after: index)
                switch scalar {
                case "\"" where isQuoted && index < text.endIndex && text[index] == "\"":
                    field.append(scalar)
                    index = text.index(after: index)
                case "\"": isQuoted.toggle()
                case "," where !isQuoted:
                    fields.append(String(field).trimmed)
                    field = String.UnicodeScalarView()
                case "\n" where !isQuoted: return fields + [String(field).trimmed]
                case "\r" where !isQuoted, "\u{feff}": break
                default: field.append(scalar)
                }
            }
            return fields + [String(field).trimmed]
        }
    }
}
