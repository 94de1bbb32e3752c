import PipCompose
import PipRig

extension EffectEntry {
    /// All effects with their parameters.
    static func table(_ entries: [EffectEntry]) -> String {
        var table = TextTable()
        table.add(["EFFECT", "PARAMETER", "RANGE", "DEFAULT", "NEUTRAL", "UNIT", "WHAT IT DOES"])
        for entry in entries {
            table.add([entry.name, "", "", "", "", "", entry.summary])
            for parameter in entry.parameters {
                table.add([
                    "", parameter.name, parameter.kind.shortText, parameter.defaultText, parameter.neutralText,
                    parameter.unit, parameter.summary,
                ])
            }
        }
        let end = """


            An effect named alone has its defaults, which show what it is for. Where it has all its neutral values, it
            changes nothing.

            Use them as --effect TARGET:CHAIN, TARGET being main, inset, inset2 … or output:
              --effect main:vignette=0.4,gaussian-blur=radius=4 --effect inset:mirror
            `pip-compose effects NAME` shows one with an example that runs. Any effect may be given essential=on, to stay
            when a machine under heat or load leaves effects out: --effect main:pixellate=0.05:essential=on

            """
        return table.lines.joined(separator: "\n") + end + "\n" + BlendKind.table
    }

    /// One effect with an example.
    var page: String {
        var lines = ["\(name): \(summary)", ""]
        if parameters.isEmpty {
            lines.append("  It has no parameters.")
        } else {
            var table = TextTable()
            for (index, parameter) in parameters.enumerated() {
                let unit = parameter.unit.isEmpty ? "" : " \(parameter.unit)"
                table.add([
                    parameter.name, parameter.kind.allowed + unit,
                    parameter.isRequired
                        ? "to be given" : parameter.defaultText.isEmpty ? "" : "default \(parameter.defaultText)",
                    parameter.neutral == nil ? "" : "neutral \(parameter.neutralText)",
                    parameter.summary + (index == 0 && parameters.count > 1 ? " (the main parameter)" : ""),
                ])
            }
            lines += table.lines.map { "  \($0)" }
        }
        if let neutralText { lines += ["", "It changes nothing as \(ShellWord.quoted(neutralText))."] }
        lines += [
            "", "Example:",
            "  pip-compose --main pattern:scene --effect \(ShellWord.quoted("main:\(example)")) --output \(fileName).png --frames 1",
        ]
        return lines.joined(separator: "\n")
    }

    /// A name for the example's picture.
    private var fileName: String {
        let last = name.split(separator: "/").last.map(String.init) ?? name
        return last.split(separator: ".").first.map(String.init) ?? last
    }

    var json: JSON {
        .object([
            "kind": .string("effect"), "name": .string(name), "summary": .string(summary),
            "parameters": .array(parameters.map { JSON.object($0.members) }),
            "example": .string(example),
        ])
    }
}

extension EffectEntry.Parameter {
    fileprivate var defaultText: String { "\(defaultValue)" }
    fileprivate var neutralText: String { neutral.map { "\($0)" } ?? "" }

    var members: [JSON.Member] {
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

extension ParameterKind {
    /// The valid values, short enough for a column.
    fileprivate var shortText: String {
        switch self {
        case .number: allowed
        case .integer(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .flag: "on, off"
        case .color: "colour"
        case .choice(let names): names.joined(separator: ", ")
        case .numbers(let count, _): "\(count.upperBound) numbers"
        case .points, .places: "points x/y"
        case .file: "file"
        }
    }
}

extension ParameterValue {
    fileprivate var json: JSON {
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
