import ArgumentParser
import Foundation
import PipTestSupport
import Testing

@testable import pip_compose

#if Media && Control
@Suite("The user's guide and the README", .timeLimit(.minutes(3)))
struct GuideTests {
    /// The requirements of code blocks that a test machine may lack.
    private static let needs: Set = [
        "root", "a camera", "a camera of the network", "a microphone", "a screen", "mediamtx", "a day of recordings",
        "another machine", "a GPS receiver", "the checkout", "a broker",
    ]

    @Test("its commands do what they say, one after the other", arguments: try GuidePage.all)
    func runs(_ page: GuidePage) async throws { try await GuideRun().follow(page.blocks[...]) }

    @Test("every block is one that a test looks at", arguments: try GuidePage.all)
    func isKnown(_ page: GuidePage) {
        for block in page.blocks {
            switch (block.language, block.note) {
            case ("sh", .none), ("sh", .runsOn), ("console", .none), ("console", .ends), ("text", .none): break
            case ("sh", .needs(let thing)): #expect(Self.needs.contains(thing), "\(block.place)")
            case ("yaml", .file), ("python", .file), ("text", .file): break
            case ("swift", .none): #expect(page.name == GuidePage.readme, "\(block.place)")
            default: Issue.record("\(block.place): no test covers a block of \(block.language), \(block.note)")
            }
        }
    }

    @Test("commands that are not run can be read", arguments: try GuidePage.all)
    func isRead(_ page: GuidePage) async throws {
        let folder = try TemporaryFolder()
        for block in page.blocks {
            guard case .needs = block.note else { continue }
            // Files with secrets, which the commands read, do not exist on this machine.
            let commands = block.commands.replacing("\\\n", with: " ").replacing(/\$\{file:[^}]*\}/, with: "secret")
            for line in commands.split(separator: "\n")
            where line.hasPrefix("pip-compose ") {
                let words = try await CommandProcess(
                    ["-c", "printf '%s\\0' \(line.dropFirst("pip-compose ".count))"], of: URL(filePath: "/bin/bash"),
                    in: folder.url)
                let arguments = words.text.split(separator: "\0").map(String.init)
                #expect(throws: Never.self, "\(block.place): \(line)") { try RootCommand.parseAsRoot(arguments) }
            }
        }
    }

    @Test("its messages are the program's own", arguments: try GuidePage.all.filter { $0.name == "Troubleshooting.md" })
    func isSaid(_ page: GuidePage) throws {
        let texts = try SourceMessages.all
        for block in page.blocks where block.language == "text" && block.note == .none {
            for line in block.lines {
                #expect(texts.contains { $0.contains(line) }, "\(block.place): nothing says: \(line)")
            }
        }
    }
}
#endif

@Suite("Texts in sources")
struct SourceMessageTests {
    @Test(
        "are read as users see them",
        arguments: [
            (#"let a = "no \(name) here""#, ["no … here"]),
            (#"let a = "one" + " two" // "not this""#, ["one two"]),
            (#"f("\(list.joined(separator: ", ")): x", "y")"#, ["…: x", "y"]),
            ("\"one\"\n    + \" two\"", ["one two"]), (#"// "no""#, []), (#"a("say \"so\"")"#, [#"say "so""#]),
        ])
    func read(_ source: String, _ texts: [String]) {
        #expect(SourceMessages.texts(in: source) == texts)
    }
}
