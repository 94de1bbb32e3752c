package import PipCompose

extension EffectEntry {
    /// For programs.
    package var json: JSON {
        .object([
            "kind": .string("effect"), "name": .string(name), "summary": .string(summary),
            "parameters": .array(parameters.map { JSON.object($0.members) }),
            "example": .string(example),
        ])
    }
}

extension EffectEntry.Parameter {
    /// Its facts for programs.
    package var members: [JSON.Member] {
        var members: [JSON.Member] = [
            JSON.Member(key: "name", value: .string(name)), JSON.Member(key: "kind", value: .string(kind.name)),
            JSON.Member(key: "summary", value: .string(summary)), JSON.Member(key: "unit", value: .string(unit)),
        ]
        func add(_ key: String, _ value: JSON) { members.append(JSON.Member(key: key, value: value)) }
        switch kind {
        case .number(let range):
            add("minimum", .number(Double(range.lowerBound), decimals: 4))
            add("maximum", .number(Double(range.upperBound), decimals: 4))
        case .integer(let range):
            add("minimum", .integer(range.lowerBound))
            add("maximum", .integer(range.upperBound))
        case .choice(let names): add("choices", .array(names.map { JSON.string($0) }))
        case .numbers(let count, let each):
            add("least-count", .integer(count.lowerBound))
            add("greatest-count", .integer(count.upperBound))
            add("minimum", .number(Double(each.lowerBound), decimals: 4))
            add("maximum", .number(Double(each.upperBound), decimals: 4))
        case .points(let count), .places(let count, _):
            add("least-count", .integer(count.lowerBound))
            add("greatest-count", .integer(count.upperBound))
        case .flag, .color, .file: break
        }
        if isRequired { add("required", .bool(true)) }
        add("default", defaultValue.json)
        if let neutral { add("neutral", neutral.json) }
        return members
    }
}

extension ParameterValue {
    /// For programs.
    package var json: JSON {
        switch self {
        case .number(let number): .number(Double(number), decimals: 4)
        case .integer(let number): .integer(number)
        case .flag(let isOn): .bool(isOn)
        case .color, .choice: .string("\(self)")
        case .numbers(let numbers): .array(numbers.map { .number(Double($0), decimals: 4) })
        case .points(let points):
            .array(points.map { .array([.number(Double($0.x), decimals: 4), .number(Double($0.y), decimals: 4)]) })
        case .file(let path): path.isEmpty ? .null : .string(path)
        }
    }
}
