import Foundation
import PipCompose
import PipTestSupport
import Testing

@Suite("Policies that are read again", .timeLimit(.minutes(2)))
struct PolicyReloadTests {
    private static let frameBytes = 64 * 32 * 3 / 2
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("row 46: SIGHUP takes a new policy; one that is broken is told with its line, and the run goes on as it was")
    func reload() async throws {
        let file = folder.url.appending(path: "board.yaml")
        try Data("preset: off\n".utf8).write(to: file)
        let arguments = [
            "--main", "pattern:bars?size=64x32", "--verbose", "--log-format", "json", "--output", "out.i420", "--stats",
            "stats.json",
            "--pressure-policy", "./board.yaml", "--pressure-pin", "serious",
        ]
        let run = try await CommandProcess(arguments, in: folder.url) { process in
            try await moreFrames(15)
            try Data("preset: of\n".utf8).write(to: file)
            process.send(SIGHUP)
            while !process.errors.contains("policy-rejected") { try await Task.sleep(for: .milliseconds(10)) }
            try Data("preset: balanced\n".utf8).write(to: file)
            process.send(SIGHUP)
            while !process.errors.contains("policy-reloaded") { try await Task.sleep(for: .milliseconds(10)) }
            try await moreFrames(60)
            process.send(SIGTERM)
        }
        #expect(run.status == 0)
        let told = run.errors.split(separator: "\n").filter { $0.contains("\"level\": \"error\"") }
        #expect(told.count == 1)
        #expect(told.first?.contains("board.yaml, line 1: preset: there is no policy of; did you mean off?") == true)
        #expect(told.first?.contains("the policy stays as it was") == true)
        let statistics = try JSONSerialization.jsonObject(
            with: Data(contentsOf: folder.url.appending(path: "stats.json")))
        let output = try #require((statistics as? [String: Any])?["output"] as? [String: Any])
        #expect(output["thinned"] as? Int ?? 0 > 5, "the balanced policy was followed in the end")
        FaultReport.record(row: 46, figures: "the broken one told once; \(output["missed"] ?? "?") moments missed")
    }

    /// Waits until the output file has grown by `count` frames.
    private func moreFrames(_ count: Int) async throws {
        let before = folder.size("out.i420")
        while folder.size("out.i420") < before + count * Self.frameBytes {
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
