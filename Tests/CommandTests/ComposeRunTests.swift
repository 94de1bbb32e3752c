import Foundation
import PipCompose
import PipTestSupport
import Testing

@testable import PipRig
@testable import pip_compose

@Suite("Runs of compose", .serialized)
struct ComposeRunTests {
    private static let pattern = "--main pattern:bars?size=64x32 --inset pattern:scene?size=32x16 --frames 5"
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "every kind of output has its frames",
        arguments: [
            ("out.nv12", ["out.nv12"], 5 * 64 * 32 * 3 / 2), ("out.i420", ["out.i420"], 5 * 64 * 32 * 3 / 2),
            ("out.rgba", ["out.rgba"], 5 * 64 * 32 * 4), ("out.bin?format=nv12", ["out.bin"], 5 * 64 * 32 * 3 / 2),
            ("%02d.png", ["01.png", "02.png", "03.png", "04.png", "05.png"], nil),
            ("f/%d.jpg", ["1.jpg", "2.jpg", "3.jpg", "4.jpg", "5.jpg"], nil), ("null:", [], nil),
        ])
    func writes(_ sink: String, _ names: [String], _ size: Int?) async throws {
        let run = try await folder.succeed("\(Self.pattern) --quiet --output \(sink)")
        #expect(run.errors == "")
        #expect(run.output.isEmpty)
        let made = try folder.names
        #expect(made == names || made == ["f"])
        if let size { #expect(folder.size(names[0]) == size) }
        if made == ["f"] {
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path + "/f").sorted() == names)
        }
    }

    @Test("an output of its own size and rate, beside one of the picture's")
    func adjusts() async throws {
        let run = try await folder.succeed(
            "--main pattern:bars?size=64x32&fps=30 --frames 30 --quiet --output out.y4m --output s.y4m?size=32x16&fps=10"
        )
        #expect(run.errors == "")
        let small = String(decoding: try folder.read("s.y4m").prefix { $0 != 10 }, as: UTF8.self)
        #expect(small.hasPrefix("YUV4MPEG2 W32 H16 F10:1 "))
        #expect(folder.size("s.y4m") == small.utf8.count + 1 + 10 * (6 + 32 * 16 * 3 / 2))
        let whole = String(decoding: try folder.read("out.y4m").prefix { $0 != 10 }, as: UTF8.self)
        #expect(folder.size("out.y4m") == whole.utf8.count + 1 + 30 * (6 + 64 * 32 * 3 / 2))
    }

    @Test("standard output carries the Y4M stream and nothing else")
    func pipesY4M() async throws {
        let run = try await folder.succeed("\(Self.pattern) --output -")
        #expect(run.text.hasPrefix("YUV4MPEG2 W64 H32"))
        let header = run.output.firstIndex(of: 10).map { $0 + 1 } ?? 0
        #expect(run.output.count == header + 5 * (6 + 64 * 32 * 3 / 2))
        #expect(run.errors.contains("5 frames of 64x32"))
    }

    @Test("chains that change nothing are told, each once, and the run goes on")
    func tellsIdleEffects() async throws {
        let run = try await folder.succeed(
            "\(Self.pattern) --effect main:brightness=0 --effect inset:sepia --effect output:mirror,mirror --output null:"
        )
        let warnings = run.errors.split(separator: "\n").filter { $0.hasPrefix("warning: --effect ") }
        #expect(warnings.count == 2)
        #expect(warnings.first?.hasPrefix("warning: --effect main:brightness=0: changes nothing: ") == true)
        #expect(warnings.last == "warning: --effect output:mirror,mirror: changes nothing: its effects undo each other")
    }

    @Test("without a source it says what it composes instead")
    func choosesSources() async throws {
        let run = try await folder.succeed("--output one.png --frames 1 --size 64x32")
        #expect(try folder.names == ["one.png"])
        if CameraDirectory().cameras().isEmpty { #expect(run.errors.contains("two test patterns are composed")) }
    }

    @Test("without an output it lists the kinds, with an example")
    func needsOutput() async throws {
        let run = try await folder.run("--main pattern:bars")
        #expect(run.status == 64)
        #expect(run.errors.contains("frames/%05d.png"))
        #expect(run.errors.contains("pip-compose --main pattern:bars --output out.y4m --duration 3s"))
    }

    @Test("a whole layout fits the size of the main picture")
    func arranges() async throws {
        try await folder.succeed("\(Self.pattern) --layout side-by-side --output out.rgba --quiet")
        let bytes = Array(try folder.read("out.rgba").suffix(64 * 32 * 4))
        // The layout is as large as the bars alone, but its pixels differ: its right half shows the inset.
        try await folder.succeed("--main pattern:bars?size=64x32 --frames 5 --output bars.rgba --quiet")
        let plain = Array(try folder.read("bars.rgba").suffix(64 * 32 * 4))
        #expect(bytes.count == plain.count)
        #expect(bytes != plain)
    }

    @Test("a blended inset darkens what is below, and nothing else changes")
    func blends() async throws {
        func luma(_ options: String) async throws -> [UInt8] {
            try await folder.succeed(
                "--main pattern:ramp?size=64x32 --inset pattern:ramp?size=32x16 --frames 1 --quiet --output a.rgba \(options)"
            )
            return [UInt8](try Data(contentsOf: folder.url.appending(path: "a.rgba")))
        }
        let plain = try await luma("--layout main-only")
        let blended = try await luma("--layout at=32:16,width=32,blend=multiply")
        #expect(blended.count == plain.count && blended != plain)
        #expect(zip(blended, plain).allSatisfy { $0 <= $1 })
        #expect(blended[..<(16 * 64 * 4)] == plain[..<(16 * 64 * 4)])
    }

    @Test("effects and looks reach the picture")
    func appliesEffects() async throws {
        let plain = try await folder.run("--main pattern:bars?size=64x32 --frames 1 --output plain.i420 --quiet")
        let gray = try await folder.run(
            "--main pattern:bars?size=64x32 --frames 1 --output gray.i420 --effect output:saturation=0 --quiet")
        #expect([plain.status, gray.status] == [0, 0])
        let chroma = Array(try folder.read("gray.i420").suffix(64 * 32 / 2))
        #expect(chroma.allSatisfy { (127...129).contains($0) })
        #expect(try folder.read("plain.i420").suffix(64 * 32 / 2) != folder.read("gray.i420").suffix(64 * 32 / 2))
    }

    @Test(
        "statistics are one JSON object with the promised members, on standard output too", arguments: ["s.json", "-"])
    func writesStatistics(_ file: String) async throws {
        let run = try await folder.succeed("\(Self.pattern) --output out.y4m --stats \(file) --quiet")
        let data = file == "-" ? run.output : try Data(folder.read(file))
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let output = try #require(object["output"] as? [String: Any])
        #expect(output["frames"] as? Int == 5)
        #expect(output["size"] as? String == "64x32")
        let sinks = try #require(object["sinks"] as? [[String: Any]])
        #expect(sinks.map { $0["written"] as? Int } == [5])
        #expect((object["cameras"] as? [[String: Any]])?.count == 2)
    }

    @Test("row 52: a signal finishes the file and ends with 0", arguments: [SIGINT, SIGTERM, SIGHUP])
    func endsOnSignal(_ signal: Int32) async throws {
        let file = folder.url.appending(path: "out.i420").path
        let run = try await CommandProcess(
            ["--main", "pattern:bars?size=64x32", "--output", "out.i420", "--quiet"], in: folder.url
        ) { process in
            while ((try? FileManager.default.attributesOfItem(atPath: file))?[.size] as? Int ?? 0) == 0 {
                try await Task.sleep(for: .milliseconds(20))
            }
            process.send(signal)
        }
        #expect(run.status == 0)
        #expect(run.errors == "")
        let size = folder.size("out.i420")
        #expect(size > 0)
        #expect(size % (64 * 32 * 3 / 2) == 0)
    }

    @Test("events and errors are JSON, one a line, when asked for")
    func logsJSON() async throws {
        let run = try await folder.run("--main missing.y4m --output null: --log-format json")
        #expect(run.status == 66)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(run.errors.utf8)) as? [String: String])
        #expect(object["level"] == "error")
        #expect(object["message"]?.contains("missing.y4m") == true)
        #expect(object["time"]?.isEmpty == false)
    }
}
