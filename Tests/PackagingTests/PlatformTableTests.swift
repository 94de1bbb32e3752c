import Foundation
import PipTestSupport
import Testing

@Suite("The table of systems that `make platforms` writes")
struct PlatformTableTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs functions of `Tests/Platforms/table.sh` in the folder, and returns their output.
    private func shell(_ commands: String) async throws -> String {
        let library = Place.sources.appending(path: "Tests/Platforms/table.sh").path
        let run = try await Tool(
            ["bash", "-euo", "pipefail", "-c", "export LC_ALL=C.UTF-8; . '\(library)'; \(commands)"], in: folder.url)
        try #require(run.status == 0, "\(run.said)")
        return run.said
    }

    @Test("counts and reasons are those of the runner's summary, and of a test program's own lines")
    func counts() async throws {
        let summary = """
            15 passed, 0 failed, 0 skipped: pure-PipRigTests-1, 1 s, 0 s of CPU
            == skipped
            2: needs Janus: `make test-setup` installs it (A.B/c(), A.B/d())
            == what failed
            A.B/e(_:)
                Expectation failed: (a → 1) == 2
            20 passed, 1 failed, 2 skipped
            make: *** [Makefile:87: test] Error 1

            """
        try folder.write(Array(summary.utf8), to: "summary.log")
        #expect(
            try await shell("counts summary.log").split(separator: "\n") == [
                "20  1  2 ", "A.B/e(_:)", "2: needs Janus: `make test-setup` installs it",
            ])
        let lines = """
            ✔ Test a() passed after 0.1 seconds.
            ✘ Test "b c" failed after 0.2 seconds with 1 issue.
            ➜ Test d() skipped: "needs x"
            ✔ Test f(_:) with 3 test cases passed after 1 seconds.
            ✘ Test run with 4 tests in 1 suite failed after 2 seconds with 1 issue.

            """
        try folder.write(Array(lines.utf8), to: "lines.log")
        #expect(try await shell("counts lines.log").split(separator: "\n") == ["2 1 1", "\"b c\"", "1: needs x"])
    }

    @Test("a run whose tests did not begin has no counts")
    func empty() async throws {
        try folder.write([], to: "empty.log")
        #expect(try await shell("counts empty.log").trimmingCharacters(in: .whitespacesAndNewlines) == "0 0 0")
    }

    @Test("a row takes the place of the same system's, and the others stay")
    func rows() async throws {
        let text = try await shell(
            """
            write '| Debian 13 (trixie) | a |' trixie t.md
            write '| Debian 12 (bookworm) | b |' bookworm t.md
            write '| Debian 13 (trixie-arm64) | c |' trixie-arm64 t.md
            write '| Debian 13 (trixie) | d |' trixie t.md
            cat t.md
            """)
        #expect(
            text.split(separator: "\n").filter { $0.hasPrefix("| Debian") } == [
                "| Debian 12 (bookworm) | b |", "| Debian 13 (trixie) | d |", "| Debian 13 (trixie-arm64) | c |",
            ])
    }
}
