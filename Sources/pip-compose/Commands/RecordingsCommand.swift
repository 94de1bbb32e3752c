import ArgumentParser
import PipCompose
import PipConcurrency
import PipRig
import PipSources

#if Media
import PipMedia
import PipRecordings

/// `pip-compose recordings`: lists, shows, locks, exports and deletes the recordings in a folder.
struct RecordingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recordings",
        abstract: "Find, lock, export and delete the recordings in a folder.",
        usage: HelpPage.usage(
            "pip-compose recordings FOLDER [--from TIME] [--to TIME] [--find TEXT] [--moments] [--json]",
            "pip-compose recordings lock|unlock|delete FOLDER NAME...",
            "pip-compose recordings export FOLDER NAME --output FILE [--from TIME] [--to TIME]"),
        discussion: discussion.text,
        subcommands: [
            RecordingsList.self, RecordingsLock.self, RecordingsUnlock.self, RecordingsDelete.self,
            RecordingsExport.self,
        ],
        defaultSubcommand: RecordingsList.self)

    private static let discussion: HelpPage = [
        .paragraph(
            """
            Recordings are the movie files of a folder. Locked recordings lie in its folder "locked", where nothing \
            is deleted to make room. Times are local: 2026-11-29, "2026-11-29 15:00", or 15:00:05 for today.
            """),
        .paragraph("For example, what yesterday's journey was about, and ten minutes of it as one file:"),
        .command("pip-compose recordings /srv/drive --from 2026-11-28 --to 2026-11-29"),
        .command(
            "pip-compose recordings export /srv/drive drive-00007.mp4 --from '2026-11-28 15:00' --to '2026-11-28 15:10' --output found.mp4"
        ),
    ]
}

/// The folder of a command about recordings.
struct RecordingsFolder: ParsableArguments {
    @Argument(help: "The folder of the recordings.", completion: .directory)
    var folder: String

    /// Opens the folder, and brings its table up to date.
    func open(isThorough: Bool = false) throws -> Recordings {
        let recordings = try Recordings(folder)
        try recordings.refresh(isThorough: isThorough)
        return recordings
    }
}

/// A span of time in the arguments of a command about recordings.
struct RecordingsSpan: ParsableArguments {
    @Option(help: ArgumentHelp("The beginning, in local time.", valueName: "time"), transform: Self.time)
    var from: WallTime?

    @Option(help: ArgumentHelp("The end, in local time.", valueName: "time"), transform: Self.time)
    var to: WallTime?

    private static func time(_ text: String) throws -> WallTime {
        guard let time = WallTime(local: text) else {
            throw ValidationError("\(text) is no time; write 2026-11-29, \"2026-11-29 15:00\" or 15:00:05")
        }
        return time
    }
}

/// `pip-compose recordings list`: prints the recordings of a choice, the newest first.
struct RecordingsList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the recordings, the newest first.")

    @OptionGroup var folder: RecordingsFolder
    @OptionGroup var span: RecordingsSpan

    @Option(help: ArgumentHelp("A text in the name, the cameras' names or the moments.", valueName: "text"))
    var find: String?

    @Flag(help: "Only clips of moments.")
    var moments = false

    @Flag(help: "Only locked recordings.")
    var locked = false

    @Option(help: ArgumentHelp("The largest number of recordings.", valueName: "number"))
    var limit = 1000

    @Flag(help: "Read every file again, also those that look unchanged.")
    var check = false

    @Flag(help: "Print JSON, for programs.")
    var json = false

    func run() throws {
        var query = RecordingQuery()
        (query.from, query.to, query.text) = (span.from, span.to, find)
        (query.hasMoments, query.isLocked, query.limit) = (moments, locked ? true : nil, max(0, limit))
        let found = try folder.open(isThorough: check).list(query)
        if json {
            Terminal.standardOutput.write(JSON.array(found.map(\.json)).pretty + "\n")
            return
        }
        var table = TextTable()
        for recording in found { table.add(recording.row) }
        for line in table.lines { Terminal.standardOutput.write(line + "\n") }
    }
}

extension Recording {
    /// The recording as a row of a table.
    fileprivate var row: [String] {
        let seconds = Int(duration.seconds.rounded())
        let length = "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
        let state = isLocked ? "locked" : state == .complete ? "" : state.rawValue
        let size = bytes < 1_000_000 ? "\(bytes / 1000) kB" : "\(shortNumber(Double(bytes) / 1e6, decimals: 1)) MB"
        let cells = [start.text("%F %T"), length, size, name, state]
        return cells + [cameras.joined(separator: ", "), moments.map(\.text).joined(separator: "; ")]
    }
}

/// The recordings that a command changes.
struct RecordingsChoice: ParsableArguments {
    @OptionGroup var folder: RecordingsFolder
    @Argument(help: "The names of recordings, as they are listed.") var names: [String]

    /// Changes each recording, and prints its new name.
    func change(_ body: (Recordings, String) throws -> Recording?) throws {
        let recordings = try folder.open()
        for name in names {
            if let changed = try body(recordings, name) { Terminal.standardOutput.write("\(changed.name)\n") }
        }
    }
}

/// `pip-compose recordings lock`: locks recordings.
struct RecordingsLock: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: "Lock recordings, so that they are not deleted to make room.")

    @OptionGroup var choice: RecordingsChoice

    func run() throws { try choice.change { recordings, name in try recordings.lock(name) } }
}

/// `pip-compose recordings unlock`: unlocks recordings.
struct RecordingsUnlock: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "unlock", abstract: "Unlock recordings.")

    @OptionGroup var choice: RecordingsChoice

    func run() throws { try choice.change { recordings, name in try recordings.unlock(name) } }
}

/// `pip-compose recordings delete`: deletes recordings.
struct RecordingsDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete recordings that are not locked.")

    @OptionGroup var choice: RecordingsChoice

    func run() throws {
        try choice.change { recordings, name in
            try recordings.delete(name)
            return nil
        }
    }
}

/// `pip-compose recordings export`: writes a span of recordings to one file, without encoding anew.
struct RecordingsExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a span of recordings to one file, without encoding anew.",
        discussion: discussion.text)

    private static let discussion: HelpPage = [
        .paragraph(
            """
            The span may reach into the parts before and after the named one, up to the first gap. Players show \
            .mp4 and .mov files exactly from the beginning on, other files from the key frame before.
            """)
    ]

    @OptionGroup var folder: RecordingsFolder
    @Argument(help: "The name of a recording in the span, as it is listed.") var name: String
    @OptionGroup var span: RecordingsSpan
    @OptionGroup var movie: WrittenMovie

    func run() async throws {
        let recordings = try folder.open()
        let span = try recordings.span(of: name, from: span.from, to: span.to)
        let join = MovieJoin(
            span.names.map { recordings.path(of: $0) }, to: movie.output, overwrites: movie.overwrite,
            span: span.times)
        let result = try await EntryPoint.interrupts.cancelling { try await join.run() }
        Terminal.standardOutput.write(
            "\(movie.output): \(counted(result.parts, "part")), "
                + "\(fixedNumber(result.duration.seconds, decimals: 3)) s\n")
    }
}
#endif
