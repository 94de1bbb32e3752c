#if Media
import Foundation
import PipTestSupport
import Testing

@Suite("Messages of the engine's libraries by the command")
struct EngineMessageTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Records while GStreamer finds a plug-in that cannot be loaded, which causes a GLib warning.
    private func record(_ options: [String], _ environment: [String: String] = [:]) async throws -> CommandProcess {
        try folder.write(Array("no library".utf8), to: "libgstbroken.so")
        let own = [
            "GST_PLUGIN_PATH": folder.url.path, "GST_REGISTRY": folder.path("registry"), "GST_REGISTRY_FORK": "no",
        ]
        let arguments = ["--main", "pattern:bars?size=64x48", "--fps", "max", "--frames", "5", "--output", "a.mkv"]
        return try await CommandProcess(
            arguments + options, in: folder.url, environment: own.merging(environment) { $1 }, seconds: 120)
    }

    @Test("a warning of GLib's is one of ours, with its library")
    func warning() async throws {
        let run = try await record(["--log-format", "json"])
        #expect(run.status == 0, "\(run.errors)")
        let lines = run.errors.split(separator: "\n").filter { $0.contains("libgstbroken") }
        try #require(lines.count == 1, "\(run.errors)")
        let line = try #require(
            try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any], "\(lines[0])")
        #expect(line["level"] as? String == "warning" && line["domain"] as? String == "GStreamer", "\(lines[0])")
        #expect(line["event"] as? String == "engine", "\(lines[0])")
    }

    @Test("--quiet leaves it out")
    func quiet() async throws {
        let run = try await record(["--quiet"])
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    }

    @Test("G_DEBUG=fatal-warnings ends the process there, as GLib does, and the message is seen")
    func fatal() async throws {
        let run = try await record(["--quiet"], ["G_DEBUG": "fatal-warnings", "SWIFT_BACKTRACE": "enable=no"])
        #expect([-SIGTRAP, -SIGABRT, 128 + SIGTRAP, 128 + SIGABRT].contains(run.status), "\(run.status)")
        #expect(run.errors.contains("libgstbroken"), "\(run.errors)")
    }
}
#endif
