import ArgumentParser
import PipRig

/// `pip-compose`.
struct RootCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pip-compose",
        abstract: "Composes two or more live cameras into one picture.",
        usage: """
            pip-compose [compose] [--main SOURCE] [--inset SOURCE]... --output SINK... [options]
            pip-compose run FILE
            pip-compose config check|schema|print|init …
            pip-compose join PART... --output FILE
            pip-compose devices|effects|explain|doctor [options]
            """,
        discussion: """
            Try it, with two cameras or without any:
              pip-compose --output frames/%05d.png --duration 3s

            The second camera rounded in a corner, an effect on the first:
              pip-compose --main /dev/video0 --effect main:vignette=0.4 \\
                --inset /dev/video2 --layout top-right,width=25%,radius=16 \\
                --output out.y4m

            All options: pip-compose compose --help
            The cameras: pip-compose devices
            What this machine lacks: pip-compose doctor
            """,
        version: Version.text,
        subcommands: [
            ComposeCommand.self, RunCommand.self, ConfigCommand.self, DevicesCommand.self, EffectsCommand.self,
            ExplainCommand.self, JoinCommand.self, DoctorCommand.self,
        ],
        defaultSubcommand: ComposeCommand.self)
}

/// The program's version.
enum Version {
    static let text = "0.1.0"
}
