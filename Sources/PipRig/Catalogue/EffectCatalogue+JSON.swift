package import PipCompose

extension EffectEntry: JSONConvertible {
    /// The effect as a JSON document, for programs that read the catalogue.
    package var json: JSON {
        .object(["kind": "effect", "name": name, "summary": summary, "parameters": parameters, "example": example])
    }
}

extension EffectEntry.Parameter: JSONConvertible {
    package var json: JSON {
        var document = JSON.object(["name": name, "kind": kind.name, "summary": summary, "unit": unit])
        switch kind {
        case .number(let range):
            document.add("minimum", JSON.number(Double(range.lowerBound), decimals: 4))
            document.add("maximum", JSON.number(Double(range.upperBound), decimals: 4))
        case .integer(let range):
            document.add("minimum", range.lowerBound)
            document.add("maximum", range.upperBound)
        case .choice(let names): document.add("choices", names)
        case .numbers(let count, let each):
            document.add("least-count", count.lowerBound)
            document.add("greatest-count", count.upperBound)
            document.add("minimum", JSON.number(Double(each.lowerBound), decimals: 4))
            document.add("maximum", JSON.number(Double(each.upperBound), decimals: 4))
        case .points(let count), .places(let count, _):
            document.add("least-count", count.lowerBound)
            document.add("greatest-count", count.upperBound)
        case .flag, .color, .file: break
        }
        if isRequired { document.add("required", true) }
        document.add("default", defaultValue)
        if let neutral { document.add("neutral", neutral) }
        return document
    }
}

extension ParameterValue: JSONConvertible {
    /// The value as JSON; null for an empty path.
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
