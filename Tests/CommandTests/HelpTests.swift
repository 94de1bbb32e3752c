import Foundation
import PipTestSupport
import Testing

@testable import pip_compose

@Suite("Help", .serialized)
struct HelpTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The description of a command that the argument parser prints.
    private struct Command: Decodable {
        let commandName: String
        let discussion: String?
        let subcommands: [Command]?

        /// The command and all of its subcommands, each with its words after `pip-compose`.
        func tree(below words: [String] = []) -> [(words: [String], discussion: String)] {
            let subcommands = (subcommands ?? []).filter { $0.commandName != "help" }
            return [(words, discussion ?? "")] + subcommands.flatMap { $0.tree(below: words + [$0.commandName]) }
        }
    }

    private struct Dump: Decodable { let command: Command }

    private func run(_ arguments: [String], columns: Int?) async throws -> CommandProcess {
        try await CommandProcess(arguments, in: folder.url, environment: ["COLUMNS": columns.map(String.init) ?? ""])
    }

    @Test(
        "the help of every command fits its width, and no line of a table is broken again",
        arguments: [60, 80, 100, 200, nil])
    func fits(_ columns: Int?) async throws {
        let dump = try await run(["--experimental-dump-help"], columns: columns).output
        let commands = try JSONDecoder().decode(Dump.self, from: dump).command.tree()
        #expect(commands.count > 10)
        for command in commands {
            let help = try await run(command.words + ["--help"], columns: columns)
            let long = help.text.split(separator: "\n").filter { $0.count > columns ?? 80 }
            #expect(help.status == 0 && long == [], "\(command.words)")
            #expect(command.discussion.isEmpty || help.text.contains(command.discussion), "\(command.words)")
        }
    }

    @Test("the words are the same at every width")
    func keepsWords() async throws {
        func words(_ columns: Int) async throws -> [Substring] {
            try await run(["compose", "--help"], columns: columns).text.split { $0.isWhitespace }
        }
        let expected = try await words(120)
        #expect(expected.contains("--when-missing"))
        for columns in [-1, 0, 1, 50, 61, 99, 1_000_000] { #expect(try await words(columns) == expected) }
    }

    private static let page: HelpPage = [
        .paragraph("An example of a page:"),
        .command("pip-compose --main a.png --wait --output b.mp4"),
        .table("TERMS", ["short": "A description of six words.", "one that is long, and longer": "The second."]),
    ]

    @Test("terms have their descriptions beside them where there is room, else below")
    func layout() {
        #expect(
            Self.page.lines(width: 40) == [
                "An example of a page:", "  pip-compose --main a.png --wait \\", "    --output b.mp4", "", "TERMS:",
                "  short                   A description",
                "                          of six words.", "  one that is long, and longer",
                "                          The second.",
            ])
    }
}
