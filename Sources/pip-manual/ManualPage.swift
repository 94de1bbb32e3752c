/// The manual page of a command or a subcommand.
struct ManualPage {
    let command: HelpDump.Command
    /// The names of the parent commands, the outermost first.
    let above: [String]
    /// The version of the program, for the page's footer.
    let version: String
    /// The date for the page's footer, such as `2026-01-31`.
    let date: String

    /// The command with its parents, such as `pip-compose` and `devices`.
    var words: [String] { above + [command.commandName] }

    /// The name of the page, such as `pip-compose-devices`.
    var name: String { words.joined(separator: "-") }

    /// The pages of the subcommands that users may see.
    var subpages: [ManualPage] {
        (command.subcommands ?? []).filter { $0.commandName != "help" && $0.shouldDisplay != false }.map {
            ManualPage(command: $0, above: words, version: version, date: date)
        }
    }

    /// The source text of the page.
    ///
    /// - Parameter others: The names of the pages for the section "SEE ALSO".
    /// - Returns: The page in the language of `man`.
    func text(seeAlso others: [String]) -> String {
        var lines = [
            ".TH \(Roff.escaped(name.uppercased())) 1 \(date) \"\(Roff.escaped("\(words[0]) \(version)"))\" \"User Commands\""
        ]
        lines += [Roff.request("SH", ["NAME"]), "\(Roff.escaped(name)) \\- \(Roff.escaped(summary))"]
        lines += [Roff.request("SH", ["SYNOPSIS"])] + synopsis
        if let discussion = command.discussion, !discussion.isEmpty {
            lines += [Roff.request("SH", ["DESCRIPTION"])] + Roff.verbatim(discussion)
        }
        lines += options
        if !subpages.isEmpty {
            lines.append(Roff.request("SH", ["COMMANDS"]))
            for page in subpages {
                lines += [".TP", Roff.request("BR", [page.name, "(1)"]), Roff.escaped(page.command.abstract ?? "")]
            }
        }
        let references = others.filter { $0 != name }
        if !references.isEmpty {
            lines.append(Roff.request("SH", ["SEE ALSO"]))
            lines += references.enumerated().map { index, other in
                Roff.request("BR", [other, index < references.count - 1 ? "(1)," : "(1)"])
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The abstract, with a lowercase initial and without a full stop, as in the index of manual pages.
    private var summary: String {
        let abstract = command.abstract ?? ""
        let end = abstract.hasSuffix(".") ? abstract.dropLast() : abstract[...]
        return end.prefix(1).lowercased() + end.dropFirst()
    }

    private var synopsis: [String] {
        var lines = [".nf"]
        for page in subpages.isEmpty ? [self] : subpages {
            let values = page.arguments.filter { $0.kind == .positional }.map { argument in
                let value = "\\fI\(Roff.escaped(argument.valueName ?? ""))\\fR\(argument.isRepeating ? "..." : "")"
                return argument.isOptional ? "[\(value)]" : value
            }
            lines.append(
                (["\\fB\(Roff.escaped(page.words.joined(separator: " ")))\\fR"] + values).joined(separator: " ")
                    + " [\\fIoptions\\fR]")
        }
        return lines + [".fi"]
    }

    private var arguments: [HelpDump.Argument] { (command.arguments ?? []).filter(\.shouldDisplay) }

    private var options: [String] {
        guard !arguments.isEmpty else { return [] }
        var lines = [Roff.request("SH", ["OPTIONS"])]
        var section: String?
        for argument in arguments {
            if argument.sectionTitle != section {
                section = argument.sectionTitle
                lines.append(Roff.request("SS", [section ?? "Other"]))
            }
            lines += [".TP", Self.heading(of: argument), Roff.escaped(Self.explanation(of: argument))]
        }
        return lines
    }

    private static func heading(of argument: HelpDump.Argument) -> String {
        let value = argument.valueName.map { "\\fI\(Roff.escaped($0))\\fR" } ?? ""
        guard argument.kind != .positional else { return value }
        let names = (argument.names ?? []).map { "\\fB\(Roff.escaped($0.text))\\fR" }.joined(separator: ", ")
        return argument.kind == .flag ? names : "\(names) \(value)"
    }

    private static func explanation(of argument: HelpDump.Argument) -> String {
        var sentence = argument.abstract ?? ""
        if let value = argument.defaultValue, argument.kind == .option { sentence += " Default: \(value)." }
        return sentence
    }
}
