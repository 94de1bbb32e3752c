import PipCompose

extension EffectEntry {
    /// All effects with their parameters.
    static func table(_ entries: [EffectEntry]) -> String {
        var table = TextTable()
        table.add(["EFFECT", "PARAMETER", "RANGE", "DEFAULT", "UNIT", "WHAT IT DOES"])
        for entry in entries {
            table.add([entry.name, "", "", "", "", entry.summary])
            for parameter in entry.parameters {
                table.add([
                    "", parameter.name, rangeText(parameter.range), shortNumber(Double(parameter.defaultValue)),
                    parameter.unit, parameter.summary,
                ])
            }
        }
        let end = """


            Use them as --effect TARGET:CHAIN, TARGET being main, inset, inset2 … or output:
              --effect main:vignette=0.4,gaussian-blur=radius=4 --effect inset:mirror
            `pip-compose effects NAME` shows one with an example that runs.
            """
        return table.lines.joined(separator: "\n") + end
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
                    parameter.name, rangeText(parameter.range) + unit,
                    "default \(shortNumber(Double(parameter.defaultValue)))",
                    parameter.summary + (index == 0 && parameters.count > 1 ? " (the main parameter)" : ""),
                ])
            }
            lines += table.lines.map { "  \($0)" }
        }
        lines += [
            "", "Example:",
            "  pip-compose --main pattern:scene --effect main:\(example) --output \(name).png --frames 1",
        ]
        return lines.joined(separator: "\n")
    }

    var json: JSON {
        .object([
            "name": .string(name), "summary": .string(summary),
            "parameters": .array(
                parameters.map { parameter in
                    .object([
                        "name": .string(parameter.name), "summary": .string(parameter.summary),
                        "unit": .string(parameter.unit),
                        "minimum": .number(Double(parameter.range.lowerBound), decimals: 4),
                        "maximum": .number(Double(parameter.range.upperBound), decimals: 4),
                        "default": .number(Double(parameter.defaultValue), decimals: 4),
                    ])
                }),
            "example": .string(example),
        ])
    }
}
