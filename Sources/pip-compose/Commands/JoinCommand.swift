import ArgumentParser
import PipCompose
import PipRig

#if Media
import PipMedia
#endif

/// The movie file that a command writes.
struct WrittenMovie: ParsableArguments {
    @Option(
        name: [.short, .long], parsing: .unconditional,
        help: ArgumentHelp("The file that is written: .mp4, .mov, .mkv, .webm or .ts.", valueName: "file"))
    var output: String

    @Flag(help: "Replace a file of that name.")
    var overwrite = false
}

/// `pip-compose join`: joins the parts of a movie without encoding them again.
struct JoinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Put parts of a movie together, without encoding anew.",
        usage: HelpPage.usage("pip-compose join PART... --output FILE [--overwrite]"),
        discussion: discussion.text)

    private static let discussion: HelpPage = [
        .paragraph(
            """
            Parts that --shard has made may be named in any order: none may be missing, and all have to be made of \
            the same files with the same options. Other movies, such as a recording's files, are joined in the order \
            in which they are named; they have to be compressed in the same way.
            """),
        .paragraph("For example:"),
        .command("pip-compose join part-*.mp4 -o whole.mp4"),
    ]

    @Argument(help: ArgumentHelp("The parts.", valueName: "part"))
    var parts: [String]

    @OptionGroup var movie: WrittenMovie
    @OptionGroup(title: "Report") var reporting: ReportOptions

    #if Media
    func run() async throws {
        let console = Console(reporting)
        console.takeEngineMessages()
        let join = MovieJoin(parts, to: movie.output, overwrites: movie.overwrite)
        do {
            let result = try await EntryPoint.interrupts.cancelling { try await join.run() }
            console.writePlain(
                "\(movie.output): \(counted(result.parts, "part")), \(counted(result.frames, "frame")), "
                    + "\(fixedNumber(result.duration.seconds, decimals: 3)) s")
        } catch {
            if let status = EntryPoint.interrupts.exitStatus { throw ExitCode(status) }
            throw error
        }
    }
    #else
    func run() async throws {
        throw CommandError(.usage, "this pip-compose was built without movies; build it with the trait Media")
    }
    #endif
}
