package import PipText

/// The values of a JSON object on a line: `{"speed": 87.2, "engine": {"rpm": 2100}}`.
///
/// A member of a member has a name with a full stop, `engine.rpm`. True and false are 1 and 0; lists and null are left
/// out.
package enum ValueLine {
    /// The values of an object; nil for any other document.
    package static func values(_ document: JSON) -> [String: Telemetry.Value]? {
        guard case .object = document else { return nil }
        var values: [String: Telemetry.Value] = [:]
        add(document, "", to: &values)
        return values
    }

    /// True for a text that may name a value.
    package static func isName(_ text: String) -> Bool { ReadoutFormat.isName(text) }

    private static func add(_ value: JSON, _ name: String, to values: inout [String: Telemetry.Value]) {
        guard values.count < Telemetry.mostNames else { return }
        switch value {
        case .object(let members):
            for member in members {
                add(member.value, name.isEmpty ? member.key : "\(name).\(member.key)", to: &values)
            }
        case .bool(let isOn): values[name] = .number(isOn ? 1 : 0)
        case .integer(let number): values[name] = .number(Double(number))
        case .number(let number): values[name] = .number(number)
        case .string(let text): values[name] = .text(text)
        case .array, .null: break
        }
    }
}

extension Telemetry.Value: JSONConvertible {
    package var json: JSON {
        switch self {
        case .number(let number): .number(number)
        case .text(let text): .string(text)
        }
    }
}
