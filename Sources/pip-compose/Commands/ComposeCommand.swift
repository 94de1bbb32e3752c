import ArgumentParser
import PipCompose
import PipRig

/// `pip-compose compose`: runs the composition of its options.
struct ComposeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compose",
        abstract: "Compose pictures and write the frames (default).",
        usage: HelpPage.usage(usage),
        discussion: HelpText.compose.text)

    static let usage = "pip-compose [compose] [--main SOURCE] [--inset SOURCE]... --output SINK... [options]"

    @OptionGroup(title: "Picture") var composition: CompositionOptions
    @OptionGroup(title: "Run") var running: RunOptions
    @OptionGroup(title: "Heat, power and load") var pressure: PressureArgumentOptions
    @OptionGroup(title: "Panel") var panel: PanelArgumentOptions
    @OptionGroup(title: "Home automation") var broker: BrokerArgumentOptions
    @OptionGroup(title: "Report") var reporting: ReportOptions

    @OptionGroup(title: "Many machines") var sharding: ShardOptions

    func validate() throws {
        if running.stats == "-", composition.output.contains(where: \.writesStandardOutput) {
            throw ValidationError("--stats - and --output - both want standard output: write one of them to a file")
        }
    }

    func run() async throws {
        let status = await CompositionRun(reporting, EntryPoint.interrupts).run(statistics: running.stats) { console in
            try RunRequest(self, console)
        }
        throw ExitCode(status)
    }
}
