import PipCompose
import PipRig

extension BlendKind {
    /// The table of all blends, as `pip-compose effects` prints it.
    static var table: String {
        var table = TextTable()
        table.add(["BLEND", "WHAT IT DOES", "PARAMETERS"])
        for kind in BlendKind.allCases {
            let parameters = BlendMode(kind).parameters.map(\.name).joined(separator: ", ")
            table.add([kind.rawValue, kind.summary, parameters])
        }
        return table.lines.joined(separator: "\n") + """


            Use blends in a layout: --layout top-right,blend=multiply or blend=chroma-key:color=green:spill=0.5
            """
    }

    /// The blend as a JSON document, with the members of an effect's document and the kind `blend`.
    var json: JSON {
        let mode = BlendMode(self)
        let parameters = mode.parameters.map { EffectEntry.Parameter($0, of: mode) }
        return .object([
            "kind": "blend", "name": rawValue, "summary": summary, "parameters": parameters,
            "example": "blend=\(rawValue)",
        ])
    }

    /// The page of a blend, with its parameters and an example.
    var page: String {
        let mode = BlendMode(self)
        var table = TextTable()
        for parameter in mode.parameters {
            table.add([
                parameter.name, parameter.kind.allowed, "default \(parameter.value(in: mode))", parameter.summary,
            ])
        }
        let lines =
            ["\(rawValue), a blend: \(summary)", ""] + table.lines.map { "  \($0)" } + [
                "", "Example:",
                "  pip-compose --main pattern:scene --inset pattern:bars --layout center,width=50%,blend=\(rawValue) "
                    + "--output \(rawValue).png --frames 1",
            ]
        return lines.joined(separator: "\n")
    }
}
