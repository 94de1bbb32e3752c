internal import Glibc

/// A JSON document.
///
/// Objects are written in the order of their members, for human readers.
///
/// Source: RFC 8259.
package indirect enum JSON: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    /// A number. Infinities and NaN become null.
    case number(Double)
    case string(String)
    case array([JSON])
    case object([Member])

    package struct Member: Equatable, Sendable {
        package var key: String
        package var value: JSON

        package init(_ key: String, _ value: any JSONConvertible) {
            self.key = key
            self.value = value.json
        }
    }

    package static func object(_ members: KeyValuePairs<String, any JSONConvertible>) -> JSON {
        .object(members.map { Member($0.key, $0.value) })
    }

    /// Creates a number that is rounded to a count of decimals.
    package static func number(_ value: Double, decimals: Int) -> JSON {
        let factor = pow(10, Double(decimals))
        return .number((value * factor).rounded() / factor)
    }

    /// Appends a member to this object; does nothing to any other value.
    package mutating func add(_ key: String, _ value: any JSONConvertible) {
        if case .object(let members) = self { self = .object(members + [Member(key, value)]) }
    }

    /// The JSON text on a single line.
    package var line: String { text(indent: nil) }

    /// The JSON text with one member or element on each line.
    ///
    /// Arrays and objects of at most 100 characters stay on one line; at the top level, only with fewer than two parts.
    package var pretty: String { text(indent: 0) }

    private func text(indent: Int?) -> String {
        switch self {
        case .null: return "null"
        case .bool(let value): return value ? "true" : "false"
        case .integer(let value): return String(value)
        case .number(let value): return value.isFinite ? Self.text(value) : "null"
        case .string(let value): return Self.quoted(value)
        case .array(let values):
            return Self.list("[", values.map { element in { element.text(indent: $0) } }, "]", indent)
        case .object(let members):
            return Self.list(
                "{", members.map { member in { "\(Self.quoted(member.key)): \(member.value.text(indent: $0))" } }, "}",
                indent)
        }
    }

    private static let widest = 100

    private static func list(_ open: String, _ parts: [(Int?) -> String], _ close: String, _ indent: Int?) -> String {
        let line = open + parts.map { $0(nil) }.joined(separator: ", ") + close
        guard let indent, indent == 0 && parts.count > 1 || line.count > widest else { return line }
        let space = String(repeating: " ", count: indent + 2)
        let lines = parts.map { space + $0(indent + 2) }.joined(separator: ",\n")
        return "\(open)\n\(lines)\n\(String(repeating: " ", count: indent))\(close)"
    }

    private static func text(_ value: Double) -> String {
        // A whole number keeps a decimal, so that readers recognize a floating-point number.
        value == value.rounded() && abs(value) < 1e15 ? "\(Int(value)).0" : "\(value)"
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            case _ where scalar.value < 0x20:
                result += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
