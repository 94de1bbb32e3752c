package import PipCompose

extension CameraControl {
    /// The control as JSON; nil for buttons, bit masks and other controls without a single number as their value.
    package var document: JSON? {
        let word: String
        var choices: [JSON]?
        switch kind {
        case .integer: word = "integer"
        case .boolean: word = "boolean"
        case .menu(let items), .integerMenu(let items):
            word = "menu"
            choices = items.map { .object(["value": $0.value, "title": $0.label]) }
        case .button, .bitmask, .other: return nil
        }
        var document = JSON.object([
            "name": name, "title": label, "kind": word, "minimum": range.lowerBound, "maximum": range.upperBound,
            "step": step, "default": defaultValue, "value": value, "active": !isInactive, "read_only": isReadOnly,
        ])
        if let choices { document.add("choices", choices) }
        return document
    }
}
