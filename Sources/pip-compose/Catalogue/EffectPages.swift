import PipCompose
import PipRig

extension EffectEntry {
    /// The table of all effects with their parameters, and of all blends.
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


            An effect named alone has its defaults, which show what it is for. With all its neutral values, an effect
            changes nothing.

            Use effects as --effect TARGET:CHAIN, TARGET being main, inset, inset2 … or output:
              --effect main:vignette=0.4,gaussian-blur=radius=4 --effect inset:mirror
            `pip-compose effects NAME` shows an effect with an example. Any effect may be given essential=on, to stay on
            when a machine under heat or load leaves effects out: --effect main:pixellate=0.05:essential=on

            """
        return table.lines.joined(separator: "\n") + end + "\n" + BlendKind.table
    }

    /// The page of an effect, with its parameters and an example.
    var page: String {
        var lines = ["\(name): \(summary)", ""]
        if parameters.isEmpty {
            lines.append("  The effect has no parameters.")
        } else {
            var table = TextTable()
            for (index, parameter) in parameters.enumerated() {
                let unit = parameter.unit.isEmpty ? "" : " \(parameter.unit)"
                table.add([
                    parameter.name, parameter.kind.allowed + unit,
                    parameter.isRequired
                        ? "required" : parameter.defaultText.isEmpty ? "" : "default \(parameter.defaultText)",
                    parameter.neutral == nil ? "" : "neutral \(parameter.neutralText)",
                    parameter.summary + (index == 0 && parameters.count > 1 ? " (the main parameter)" : ""),
                ])
            }
            lines += table.lines.map { "  \($0)" }
        }
        if let neutralText { lines += ["", "The effect changes nothing as \(ShellWord.quoted(neutralText))."] }
        lines += [
            "", "Example:",
            "  pip-compose --main pattern:scene --effect \(ShellWord.quoted("main:\(example)")) --output \(fileName).png --frames 1",
        ]
        return lines.joined(separator: "\n")
    }

    /// The name of the example's output file, without an extension.
    private var fileName: String {
        let last = name.split(separator: "/").last.map(String.init) ?? name
        return last.split(separator: ".").first.map(String.init) ?? last
    }
}

extension EffectEntry.Parameter {
    fileprivate var defaultText: String { "\(defaultValue)" }
    fileprivate var neutralText: String { neutral.map { "\($0)" } ?? "" }
}

extension ParameterKind {
    /// A short description of the valid values, for a column of a table.
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
