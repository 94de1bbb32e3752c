import Foundation
import PipTestSupport
import Testing

@testable import pip_manual

@Suite("Manual pages")
struct ManualTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func pages() async throws -> [String: String] {
        let dump = try await Tool([Place.program.path, "--experimental-dump-help"])
        return try PipManual.pages(of: Data(dump.said.utf8), "1.2.3", date: "2026-01-31")
    }

    @Test("the command and every subcommand have a manual page, with every option that `--help` shows")
    func isComplete() async throws {
        let pages = try await pages()
        #expect(pages.keys.contains("pip-compose"))
        let overview = try #require(pages["pip-compose"])
        for (name, page) in pages where name != "pip-compose" {
            #expect(overview.contains(".BR \"\(Roff.escaped(name))\""))
            let help = try await Tool([Place.program.path, String(name.dropFirst("pip-compose-".count)), "--help"])
            let options = help.said.split(separator: "\n").compactMap { line in
                line.wholeMatch(of: #/ {2}(?:-\w, )?(--[\w\-]+).*/#)?.output.1
            }
            #expect(options.count >= 2, "\(name)")
            for option in options.map(String.init) {
                #expect(page.contains("\\fB\(Roff.escaped(option))\\fR"), "\(name) \(option)")
            }
        }
    }

    @Test("man and mandoc report no problem with the manual pages", .needs("man", "mandoc"))
    func isClean() async throws {
        for (name, page) in try await pages() {
            try folder.write(Array(page.utf8), to: "\(name).1")
            let file = folder.path("\(name).1")
            let man = try await Tool(
                ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", file], environment: ["LC_ALL": "C.UTF-8"])
            #expect(man.status == 0 && !man.said.contains("warning"), "\(man.said.prefix(1000))")
            let mandoc = try await Tool(["mandoc", "-T", "lint", "-W", "warning", file])
            #expect(mandoc.said.isEmpty)
        }
    }

    @Test("characters that are special to roff are escaped")
    func escapes() {
        #expect(Roff.escaped(#".a-b\c 'd' `e` ^~"#) == #"\&.a\-b\ec \(aqd\(aq \(gae\(ga \(ha\(ti"#)
        #expect(Roff.request("SH", ["a \"b\""]) == #".SH "a \(dqb\(dq""#)
        #expect(Roff.verbatim("a\n\n b") == [".EX", "a", ".sp", " b", ".EE"])
    }

    @Test("input that does not describe a command is an error")
    func refuses() {
        #expect(throws: DecodingError.self) { try PipManual.pages(of: Data("{}".utf8), "1", date: "") }
    }
}
