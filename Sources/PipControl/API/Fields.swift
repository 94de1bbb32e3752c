#if Control
internal import PipCompose
internal import PipRig

/// The members of a JSON object: a request's body, or a value in the body.
struct Fields {
    /// The default length limit of a text, in Unicode scalars.
    static let longestText = 256
    /// The length limit of an output's address, in Unicode scalars.
    static let longestAddress = 2048

    private let members: [JSON.Member]

    /// Reads the members of a value.
    ///
    /// - Parameters:
    ///   - value: The parsed value; nil for a body that is not JSON.
    ///   - schema: The schema of the object, whose properties are the valid keys; nil allows all keys.
    ///   - subject: The value's name in messages.
    /// - Throws: ``Problem`` with 400 for nil, or with 422 for a value that is not an object and for an unknown key.
    init(_ value: JSON?, of schema: JSON?, named subject: String = "the body") throws(Problem) {
        guard let value else { throw Problem(400, "the body must be a JSON object") }
        guard case .object(let members) = value else {
            throw Problem(422, "\(subject) must be a JSON object")
        }
        self.members = members
        guard case .object(let properties)? = schema?["properties"] else { return }
        let known = properties.map(\.key)
        for member in members where !known.contains(member.key) {
            throw Problem(422, "unknown member \(member.key)\(NearestName.hint(for: member.key, among: known))")
        }
    }

    /// Creates an object without members.
    init() { members = [] }

    /// All members, sorted by key.
    var all: [(key: String, value: JSON)] { members.map { ($0.key, $0.value) } }

    /// True when the object has a member, even if its value is null.
    func has(_ key: String) -> Bool { members.contains { $0.key == key } }

    /// The value of a member; nil for a missing member and for null.
    subscript(key: String) -> JSON? {
        let value = members.first { $0.key == key }?.value
        return value == .null ? nil : value
    }

    func text(_ key: String, most: Int = longestText) throws(Problem) -> String? {
        guard let value = self[key] else { return nil }
        guard case .string(let text) = value, !text.isEmpty else {
            throw Problem(422, "\(key) must be a text that is not empty")
        }
        guard text.unicodeScalars.count <= most else {
            throw Problem(422, "\(key) has more than \(most) characters")
        }
        return text
    }

    func needed(_ key: String, most: Int = longestText) throws(Problem) -> String {
        guard let text = try text(key, most: most) else { throw Problem(422, "\(key) is missing") }
        return text
    }

    func flag(_ key: String) throws(Problem) -> Bool? {
        guard let value = self[key] else { return nil }
        guard case .bool(let isOn) = value else { throw Problem(422, "\(key) must be true or false") }
        return isOn
    }

    /// The value of a member that is a time; nil for a missing member, for null and for zero.
    func duration(_ key: String = "duration") throws -> Duration? {
        guard let text = try text(key) else { return nil }
        if text == "0" || text == "0s" || text == "0ms" { return nil }
        let duration: Duration
        do throws(UsageError) { duration = try Duration(argument: text) } catch { throw error.about(key) }
        guard duration <= .seconds(60) else { throw Problem(422, "\(key) is \(text), but must be at most 60s") }
        return duration
    }

    /// Converts a JSON value to the command line's syntax; nil for null.
    static func argument(_ value: JSON, _ key: String) throws(Problem) -> String? {
        switch value {
        case .null: return nil
        case .string(let text):
            // No valid value contains control characters.
            guard text.utf8.count <= 4096, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
                throw Problem(422, "\(key) must have at most 4096 bytes and no control characters")
            }
            return text
        case .bool(let isOn): return isOn ? "on" : "off"
        case .integer(let number): return "\(number)"
        case .number(let number): return shortText(number)
        case .array(let elements):
            var words: [String] = []
            for element in elements {
                if case .array(let pair) = element {
                    var halves: [String] = []
                    for half in pair { halves.append(try argument(half, key) ?? "") }
                    words.append(halves.joined(separator: "/"))
                } else {
                    words.append(try argument(element, key) ?? "")
                }
            }
            return words.joined(separator: " ")
        case .object: throw Problem(422, "\(key) must be a text, a number, a list, true or false")
        }
    }
}
#endif
