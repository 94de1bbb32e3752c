import ArgumentParser
import PipRig

/// `pip-compose run FILE`: runs the composition of a configuration file.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the composition of a configuration file.",
        usage: HelpPage.usage("pip-compose run FILE [--watch] [options]"),
        discussion: discussion.text)

    private static let discussion: HelpPage = [
        .paragraph(
            """
            A configuration can say all that the options of compose say. `pip-compose config schema` prints its keys, \
            and `pip-compose config init` one for the cameras of this machine.
            """),
        .paragraph(
            """
            SIGHUP reads the file again. All changes show from the same frame on; cameras and outputs without a change \
            go on without a gap. A file with a mistake changes nothing.
            """),
    ]

    @Argument(help: ArgumentHelp("The configuration.", valueName: "file"))
    var file: String

    @Flag(help: "Read the file again whenever it changes, as at SIGHUP.")
    var watch = false

    @OptionGroup(title: "Panel") var panel: PanelArgumentOptions
    @OptionGroup(title: "Home automation") var broker: BrokerArgumentOptions
    @OptionGroup(title: "Report") var reporting: ReportOptions

    @OptionGroup(title: "Many machines") var sharding: ShardOptions

    func run() async throws {
        let parsed = try RigFile(path: file)
        let run = CompositionRun(reporting.following(parsed.log), EntryPoint.interrupts)
        throw ExitCode(
            await run.run(statistics: parsed.run.statistics) { console in
                console.warn(parsed.remarks)
                var request = RunRequest(parsed, path: file, watches: watch, panel: panel, broker: broker)
                request.shard = sharding.shard
                return request
            })
    }
}

extension ReportOptions {
    /// The options, completed by a configuration's settings where the user gave no option.
    fileprivate func following(_ settings: RigFile.LogSettings) -> ReportOptions {
        var options = self
        if !quiet, !verbose {
            options.quiet = settings.level == "quiet"
            options.verbose = settings.level == "verbose"
        }
        if logFormat == .text, settings.format == "json" { options.logFormat = .json }
        return options
    }
}
