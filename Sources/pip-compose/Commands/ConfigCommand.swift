import ArgumentParser
import Logging
import PipCompose
import PipRig

/// `pip-compose config`: checks, describes and writes configuration files.
struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Check, describe and write configuration files.",
        subcommands: [Check.self, Schema.self, Print.self, Init.self])

    /// `config check FILE`: reports the first mistake in a configuration.
    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Name the first mistake in a configuration; exit with 78 if there is one.")

        @Argument(help: ArgumentHelp("The configuration.", valueName: "file"))
        var file: String

        func run() async throws {
            for remark in try RigFile(path: file).remarks { Terminal.standardError.write("warning: \(remark)\n") }
            Terminal.standardOutput.write("\(file): no mistakes\n")
        }
    }

    /// `config schema`: prints the JSON Schema of configurations.
    struct Schema: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "schema", abstract: "Print the JSON Schema of configurations, for editors.",
            discussion: discussion.text)

        private static let discussion: HelpPage = [
            .paragraph("An editor with a YAML language server checks a configuration while it is typed, after"),
            .command("pip-compose config schema > pip-compose.schema.json"),
            .paragraph("and with this first line in the file:"),
            .command("# yaml-language-server: $schema=pip-compose.schema.json"),
        ]

        func run() async throws { Terminal.standardOutput.write(RigSchema.document.pretty + "\n") }
    }

    /// `config print OPTIONS`: prints the configuration of some options of `compose`.
    struct Print: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "print", abstract: "Print options of compose as a configuration.",
            usage: HelpPage.usage("pip-compose config print [the options of compose]"),
            discussion: discussion.text)

        private static let discussion: HelpPage = [
            .paragraph(
                """
                Keys and tokens that are written as ${NAME} or ${file:PATH} stay so. A plain-text token of the panel is \
                left out; addresses with plain-text passwords are masked.
                """
            )
        ]

        @OptionGroup(title: "Picture") var composition: CompositionOptions
        @OptionGroup(title: "Run") var running: RunOptions
        @OptionGroup(title: "Heat, power and load") var pressure: PressureArgumentOptions
        @OptionGroup(title: "Panel") var panel: PanelArgumentOptions
        @OptionGroup(title: "Home automation") var broker: BrokerArgumentOptions
        @OptionGroup(title: "Report") var reporting: ReportOptions

        func run() async throws {
            let asked = try RigFile.asking(
                composition: composition, running: running, pressure: pressure, panel: panel,
                broker: broker)
            if let note = asked.note { Console(reporting).write(note, .warning, event: "test-pattern") }
            var file = asked.file
            file.log.format = reporting.logFormat == .json ? "json" : nil
            file.log.level = reporting.quiet ? "quiet" : reporting.verbose ? "verbose" : nil
            Terminal.standardOutput.write(RigFileWriter.text(of: file))
        }
    }

    /// `config init`: prints a configuration for the cameras of this machine.
    struct Init: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "init", abstract: "Print a commented configuration for the cameras of this machine.",
            discussion: discussion.text)

        private static let discussion: HelpPage = [
            .paragraph("For example:"), .command("pip-compose config init > rig.yaml"),
        ]

        func run() async throws { Terminal.standardOutput.write(StarterFile(CameraDirectory()).text) }
    }
}
