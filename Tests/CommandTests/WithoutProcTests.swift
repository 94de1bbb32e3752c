import Foundation
import PipTestSupport
import Testing

/// Tests the program in a mount namespace without `/proc`.
@Suite("Without /proc")
struct WithoutProcTests {
    private static let hiding = "mount -t tmpfs none /proc"

    /// Runs a line of Bash in a mount namespace of its own, with a user namespace for the right to mount.
    private static func isolated(_ line: String, in folder: URL) async throws -> CommandProcess {
        try await CommandProcess(
            ["--map-root-user", "--mount", "--", "bash", "-c", line], of: URL(filePath: "/usr/bin/unshare"), in: folder)
    }

    @Test(
        "the program says that /proc is missing, and what to do, whatever is asked of it",
        .enabled("needs the right to make a namespace") {
            try await isolated(hiding, in: FileManager.default.temporaryDirectory).status == 0
        },
        arguments: ["--version", "devices", "--main pattern:bars --output null:"])
    func told(_ arguments: String) async throws {
        let folder = try TemporaryFolder()
        let run = try await Self.isolated(
            "\(Self.hiding) && exec '\(CommandProcess.program.path)' \(arguments)", in: folder.url)
        #expect(run.status == 69)
        #expect(run.errors == "error: /proc cannot be read: run `mount -t proc proc /proc`\n")
    }
}
