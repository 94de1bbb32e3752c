import Foundation
import PipCompose
import PipTestSupport
import Testing

@testable import PipRig
@testable import pip_compose

@Suite("Bad input", .serialized)
struct BadInputTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(Clip.y4m(frames: 3), to: "clip.y4m")
        try folder.write(Array(Clip.y4m(frames: 2).dropLast(100)), to: "cut.y4m")
        try folder.write([], to: "empty.y4m")
        try folder.write(Array("hello".utf8), to: "text.png")
        try folder.write([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13], to: "broken.png")
        try folder.write([0xff, 0xd8, 0xff, 0xe0, 0, 16], to: "broken.jpg")
        try folder.write(Array(repeating: 0, count: 1000), to: "short.nv12")
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "folder.y4m"), withIntermediateDirectories: true)
    }

    @Test("inputs that are missing or broken are told apart", arguments: Self.inputs)
    func refusesInputs(_ source: String, _ status: Int32, _ words: String) async throws {
        let run = try await folder.run("--main \(source) --output out.y4m --frames 5 --quiet")
        #expect(run.status == status)
        #expect(run.errors.hasPrefix("error: "))
        #expect(run.errors.contains(words))
        #expect(run.errors.split(separator: "\n").count == 1)
        #expect(run.output.isEmpty)
    }

    #if Media
    @Test("movies and streams that are missing or broken are told apart", arguments: Self.movies)
    func refusesMovies(_ source: String, _ status: Int32, _ words: String) async throws {
        try folder.write([], to: "empty.mp4")
        try folder.write(Array((0..<2000).map { "line \($0)\n" }.joined().utf8), to: "text.mp4")
        let run = try await folder.run("--main \(source) --output out.y4m --frames 5 --quiet")
        #expect(run.status == status)
        #expect(run.errors.hasPrefix("error: "))
        #expect(run.errors.contains(words), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1)
        #expect(!run.errors.contains("secret77"))
    }

    private static let movies: [(String, Int32, String)] = [
        ("missing.mp4", 66, "No such file"), ("empty.mp4", 65, "it is empty"), ("text.mp4", 65, "text file"),
        ("rtsp://admin:secret77@127.0.0.1:9/live", 66, "rtsp://…@127.0.0.1:9/live"),
        ("rtsp://admin:secret77@127.0.0.1:9/live?latency=x", 64, "rtsp://…@127.0.0.1:9/live"),
    ]
    #endif

    @Test("row 67: without a camera that it names, a run ends at once and says which there are")
    func endsWithoutCamera() async throws {
        let run = try await folder.run(
            "--main pattern:bars?size=320x180 --inset /dev/video987 --output out.y4m --frames 5")
        #expect(run.status == 66)
        #expect(run.errors.contains("/dev/video987") && run.errors.contains("(there "), "\(run.errors)")
        #expect(run.errors.contains("--wait"))
        #expect(folder.size("out.y4m") == -1)
    }

    @Test("row 67: where every camera is required, a run without one says what to change", arguments: [true, false])
    func endsWhereCamerasAreRequired(_ isConfiguration: Bool) async throws {
        let text = """
            cameras: {desk: {source: pattern:bars, size: 320x180}, door: {source: /dev/video987}}
            scenes: {both: {main: desk, insets: [{of: door, at: top-left, width: 25%}]}}
            outputs: ["null:"]
            run: {require-both: on, frames: 5}
            """
        try folder.write(Array(text.utf8), to: "rig.yaml")
        let run = try await folder.run(
            isConfiguration
                ? "run rig.yaml"
                : "--main pattern:bars?size=320x180 --inset /dev/video987 --output null: --frames 5 --require-both")
        #expect(run.status == 66, "\(run.errors)")
        #expect(
            run.errors.contains(
                isConfiguration
                    ? "; to wait, remove require-both from the configuration"
                    : "; to wait, write --wait in place of --require-both"), "\(run.errors)")
    }

    @Test("row 67: with --wait, a camera that is not there is named, and a slate shows in its place")
    func waitsForCamera() async throws {
        let run = try await folder.succeed(
            "--main pattern:bars?size=320x180 --inset /dev/video987 --output out.y4m --frames 5 --wait")
        #expect(run.errors.contains("/dev/video987"), "\(run.errors)")
        #expect(folder.size("out.y4m") > 5 * 320 * 180)
    }

    @Test("--wait and --require-both are not given together")
    func refusesBoth() async throws {
        let run = try await folder.run("--main pattern:bars --output null: --wait --require-both")
        #expect(run.status == 64)
        #expect(run.errors.contains("--wait and --require-both exclude each other: give one"))
    }

    private static let inputs: [(String, Int32, String)] = [
        ("/dev/video987", 66, "pip-compose devices"), ("/dev/null", 66, "cannot use it as a camera"),
        ("camera:clip.y4m", 66, "no camera has this name"), ("camera:/etc/passwd", 66, "not a device node"),
        ("camera:99", 66, "camera:99"), ("missing.y4m", 66, "No such file"), ("missing.png", 66, "No such file"),
        ("missing.nv12?size=32x16", 66, "No such file"), ("cut.y4m", 65, "cut off"), ("empty.y4m", 65, "empty"),
        ("text.png", 65, "no supported picture"), ("broken.png", 65, "broken.png"),
        ("broken.jpg", 65, "broken.jpg"),
        ("short.nv12?size=32x16", 65, "check size and format"), ("folder.y4m", 64, "it is a folder"),
        ("clip.y4m?loop=x", 64, "on or off"), ("pattern:bars?size=0x0", 64, "above zero"),
    ]

    @Test("outputs that cannot be written are told apart", arguments: Self.outputs)
    func refusesOutputs(_ sink: String, _ status: Int32, _ words: String) async throws {
        let run = try await folder.run("--main pattern:bars?size=64x32 --output \(sink) --frames 5 --quiet")
        #expect(run.status == status)
        #expect(run.errors.hasPrefix("error: "))
        #expect(run.errors.contains(words))
        #expect(run.errors.split(separator: "\n").count == 1)
    }

    private static let outputs: [(String, Int32, String)] = [
        ("nowhere/out.y4m", 73, "mkdir -p nowhere"), ("folder.y4m", 73, "it is a folder"),
        ("nowhere/deeper/%d.png", 73, "nowhere/deeper"), ("/dev/full?format=y4m", 74, "No space left"),
        ("/dev/full?format=nv12", 74, "No space left"), ("%x.png", 64, "after % comes d"),
        ("out.avi", 64, "the ending .avi is unknown"),
        ("null: --size 20000x20000", 64, "larger than the session can draw"),
        ("null: --size 65x32", 64, "must be even"),
        ("null: --stats nowhere/s.json", 73, "nowhere/s.json: cannot create"),
        ("null: --stats /dev/full", 74, "/dev/full: cannot write"),
        ("null: --effect main:vignete", 64, "did you mean vignette?"),
        ("null: --effect main:vignette=2", 64, "must be 0 to 1"),
        ("null: --effect main:vignette=strenght=1", 64, "did you mean strength?"),
    ]

    @Test(
        "a standard output that is closed is an error at once, whatever takes its number",
        arguments: ["- ", "-?format=nv12 ", "/dev/stdout?format=y4m ", "- <&- "])
    func refusesClosedOutput(_ output: String) async throws {
        let run = try await CommandProcess(
            shell: "--main pattern:bars?size=64x32 --frames 5 --quiet --output \(output) >&-", in: folder.url)
        #expect(run.status == 74)
        #expect(run.errors.hasPrefix("error: ") && run.errors.contains("it is closed"), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1)
    }

    @Test("a file is whole when none of the standard streams is open", arguments: ["", "<&-", "<&- 2>&-"])
    func startsWithoutStreams(_ closed: String) async throws {
        let run = try await CommandProcess(
            shell: "--main pattern:bars?size=64x32 --frames 5 --output out.i420 \(closed) >&-", in: folder.url)
        #expect(run.status == 0)
        #expect(folder.size("out.i420") == 5 * 64 * 32 * 3 / 2)
    }

    @Test("one output that fails leaves the others whole")
    func isolatesOutputs() async throws {
        let run = try await folder.run(
            "--main pattern:bars?size=64x32 --output /dev/full?format=i420 --output out.i420 --frames 5 --stats s.json --quiet"
        )
        #expect(run.status == 74)
        #expect(folder.size("out.i420") == 5 * 64 * 32 * 3 / 2)
        let object = try folder.object("s.json")
        #expect((object["error"] as? String)?.contains("No space left") == true)
        #expect((object["output"] as? [String: Any])?["frames"] as? Int == 5)
    }

    @Test("statistics are written even when nothing could be opened")
    func writesStatisticsAfterErrors() async throws {
        let run = try await folder.run("--main missing.y4m --output null: --stats s.json")
        #expect(run.status == 66)
        let object = try folder.object("s.json")
        #expect((object["error"] as? String)?.contains("missing.y4m") == true)
        #expect((object["output"] as? [String: Any])?["frames"] as? Int == 0)
    }

    @Test("a reader that leaves ends the run with the output's error")
    func survivesClosedPipe() async throws {
        let path = folder.url.appending(path: "pipe.y4m").path
        let made = unsafe mkfifo(path, 0o600)
        #expect(made == 0)
        let run = try await CommandProcess(
            ["--main", "pattern:bars?size=64x32", "--output", "pipe.y4m", "--quiet"], in: folder.url
        ) { _ in
            let pipe = try FileHandle(forReadingFrom: URL(filePath: path))
            _ = try pipe.read(upToCount: 100)
            try pipe.close()
        }
        #expect(run.status == 74)
        #expect(run.errors.contains("has closed the pipe"))
    }
}
