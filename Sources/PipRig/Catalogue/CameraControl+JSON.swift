package import PipCompose

extension CameraControl {
    /// The control for programs; nil for one that has no number for a value.
    package var document: JSON? {
        let word: String
        var choices: JSON?
        switch kind {
        case .integer: word = "integer"
        case .boolean: word = "boolean"
        case .menu(let items), .integerMenu(let items):
            word = "menu"
            choices = .array(items.map { .object(["value": .integer($0.value), "title": .string($0.label)]) })
        case .button, .bitmask, .other: return nil
        }
        var members: [JSON.Member] = [
            .init(key: "name", value: .string(name)), .init(key: "title", value: .string(label)),
            .init(key: "kind", value: .string(word)), .init(key: "minimum", value: .integer(range.lowerBound)),
            .init(key: "maximum", value: .integer(range.upperBound)),
            .init(key: "step", value: .integer(step)),
            .init(key: "default", value: .integer(defaultValue)),
            .init(key: "value", value: value.map { .integer($0) } ?? .null),
            .init(key: "active", value: .bool(!isInactive)),
            .init(key: "read_only", value: .bool(isReadOnly)),
        ]
        if let choices { members.append(.init(key: "choices", value: choices)) }
        return .object(members)
    }
}
