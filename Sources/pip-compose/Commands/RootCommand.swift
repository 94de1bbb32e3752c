import ArgumentParser
import PipRig

/// `pip-compose`: the program, whose default subcommand is `compose`.
struct RootCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pip-compose",
        abstract: "Composes two or more live cameras into one picture.",
        usage: HelpPage.usage(
            ComposeCommand.usage, "pip-compose run FILE", "pip-compose config check|schema|print|init …",
            "pip-compose join PART... --output FILE", "pip-compose recordings FOLDER …",
            "pip-compose devices|effects|explain|doctor [options]"),
        discussion: discussion.text,
        version: Version.text,
        subcommands: commands,
        defaultSubcommand: ComposeCommand.self)

    private static var commands: [any ParsableCommand.Type] {
        var commands: [any ParsableCommand.Type] = [
            ComposeCommand.self, RunCommand.self, ConfigCommand.self, DevicesCommand.self, EffectsCommand.self,
            ExplainCommand.self, JoinCommand.self, DoctorCommand.self,
        ]
        #if Media
        commands.insert(RecordingsCommand.self, at: 7)
        #endif
        return commands
    }

    private static let discussion: HelpPage = [
        .paragraph("Try it, with two cameras or without any:"),
        .command("pip-compose --output frames/%05d.png --duration 3s"),
        .paragraph("The second camera in a corner, with round edges, and an effect on the first:"),
        .command(
            """
            pip-compose --main /dev/video0 --effect main:vignette=0.4 --inset /dev/video2 \
            --layout top-right,width=25%,radius=16 --output out.y4m
            """),
        .table(
            "FURTHER HELP",
            [
                "pip-compose compose --help": "All options.",
                "pip-compose devices": "The cameras.",
                "pip-compose doctor": "The drivers and libraries that this machine lacks.",
            ]),
    ]
}

/// The version that `--version` prints.
enum Version {
    static let text = "0.1.0"
}
