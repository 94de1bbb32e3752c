import Foundation
import PipCompose
import PipTestSupport
import Testing

@Suite("Configurations on the command line", .timeLimit(.minutes(3)))
struct ConfigurationRunTests {
    private static let frameBytes = 64 * 32 * 3 / 2
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String) throws { try Data(text.utf8).write(to: folder.url.appending(path: "rig.yaml")) }

    private static func rig(_ main: String) -> String {
        """
        cameras:
          white: {source: pattern:ramp, size: 64x32, fps: 60}
          bars: {source: pattern:bars, size: 64x32, fps: 60}
        scenes: {only: {main: \(main)}}
        outputs: [out.i420, second.i420]
        pressure: off
        run: {stats: stats.json}
        log: {format: json, level: verbose}
        """
    }

    @Test("row 46: a file that is loaded anew changes the picture and nothing else; a broken one changes nothing")
    func reload() async throws {
        try write(Self.rig("white"))
        let run = try await CommandProcess(["run", "rig.yaml"], in: folder.url) { process in
            try await moreFrames(20)
            try write("cameras: {white: pattern:ramp}\nscnes: {}\n")
            process.send(SIGHUP)
            while !process.errors.contains("configuration-rejected") { try await Task.sleep(for: .milliseconds(5)) }
            try await moreFrames(10)
            try write(Self.rig("bars"))
            process.send(SIGHUP)
            while !process.errors.contains("configuration-reloaded") { try await Task.sleep(for: .milliseconds(5)) }
            try await moreFrames(20)
            process.send(SIGTERM)
        }
        #expect(run.status == 0, "\(run.errors)")
        let told = run.errors.split(separator: "\n").filter { $0.contains("\"level\": \"error\"") }
        #expect(told.count == 1)
        #expect(told.first?.contains("line 2: a configuration has no key scnes; did you mean scenes?") == true)
        let bytes = try Data(contentsOf: folder.url.appending(path: "out.i420"))
        let (first, last) = (Array(bytes.prefix(64 * 32)), Array(bytes.suffix(Self.frameBytes).prefix(64 * 32)))
        #expect(first != last, "the other picture is shown in the end")
        let statistics = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: folder.url.appending(path: "stats.json")))
                as? [String: Any])
        let sinks = try #require(statistics["sinks"] as? [[String: Any]])
        let output = try #require(statistics["output"] as? [String: Any])
        #expect(sinks.count == 2 && sinks.allSatisfy { $0["written"] as? Int == output["frames"] as? Int })
        FaultReport.record(
            row: 46,
            figures: "a broken configuration: told once, \(output["missed"] ?? "?") moments missed, no frame lost")
    }

    @Test("--watch reads the file when it changes")
    func watches() async throws {
        try write(Self.rig("white"))
        let run = try await CommandProcess(["run", "rig.yaml", "--watch"], in: folder.url) { process in
            try await moreFrames(5)
            try write(Self.rig("bars"))
            while !process.errors.contains("configuration-reloaded") { try await Task.sleep(for: .milliseconds(5)) }
            process.send(SIGTERM)
        }
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test(
        "a broken file, and one that is not there, end with 78 before anything is opened",
        arguments: ["run", "config check"])
    func broken(_ command: String) async throws {
        let words = command.split(separator: " ").map(String.init)
        let missing = try await CommandProcess(words + ["rig.yaml"], in: folder.url)
        #expect(missing.status == 78 && missing.errors.contains("rig.yaml: cannot read: No such file"))
        try write("cameras: {a: pattern:scen}\noutputs: [out.i420]\n")
        let wrong = try await CommandProcess(words + ["rig.yaml"], in: folder.url)
        #expect(
            wrong.status == 78 && wrong.errors.contains("rig.yaml, line 1: a: pattern:scen: there is no pattern scen"))
        #expect(!FileManager.default.fileExists(atPath: folder.path("out.i420")))
    }

    @Test("what is printed for options runs as they do, and is checked by the schema's own names")
    func print() async throws {
        let options = [
            "--main", "pattern:bars?size=64x32&fps=30", "--inset", "pattern:ramp?size=64x32", "--layout",
            "bottom-left,width=50%,opacity=0.5", "--effect", "main:gamma=2,mirror", "--effect", "output:invert",
            "--output",
            "out.i420", "--frames", "5", "--fps", "max", "--quiet",
        ]
        #expect(try await CommandProcess(options, in: folder.url).status == 0)
        let direct = try Data(contentsOf: folder.url.appending(path: "out.i420"))
        let printed = try await CommandProcess(["config", "print"] + options, in: folder.url)
        try printed.output.write(to: folder.url.appending(path: "rig.yaml"))
        #expect(try await CommandProcess(["config", "check", "rig.yaml"], in: folder.url).status == 0)
        let run = try await CommandProcess(["run", "rig.yaml"], in: folder.url)
        #expect(run.status == 0, "\(run.errors)")
        #expect(try Data(contentsOf: folder.url.appending(path: "out.i420")) == direct)
    }

    @Test("the file to begin with is one that runs")
    func starter() async throws {
        let starter = try await CommandProcess(["config", "init"], in: folder.url)
        try starter.output.write(to: folder.url.appending(path: "rig.yaml"))
        let check = try await CommandProcess(["config", "check", "rig.yaml"], in: folder.url)
        #expect(check.status == 0, "\(check.errors)")
    }

    @Test("the schema is JSON with each key of a configuration")
    func schema() async throws {
        let run = try await CommandProcess(["config", "schema"], in: folder.url)
        let schema = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
        let keys = try #require(schema["properties"] as? [String: Any]).keys.sorted()
        let known = ["cameras", "canvas", "effects", "outputs", "panel", "pressure", "scenes"]
        #expect(Set(known).isSubset(of: Set(keys)))
    }

    /// Waits until the output file has grown by `count` frames.
    private func moreFrames(_ count: Int) async throws {
        let before = folder.size("out.i420")
        while folder.size("out.i420") < before + count * Self.frameBytes {
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
