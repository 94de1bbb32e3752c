#if Media
import Foundation
import PipCompose
import PipTestSupport
import Testing

@Suite("Parts of a composition", .timeLimit(.minutes(3)))
struct ShardRunTests {
    private let folder: TemporaryFolder

    /// Makes two movies with different sizes and frame rates.
    init() async throws {
        folder = try TemporaryFolder()
        for (name, options) in [("road.mp4", "size=96x64&fps=30&seed=0"), ("driver.mkv", "size=64x48&fps=25&seed=1")] {
            let run = try await CommandProcess(
                ["--main", "pattern:scene?\(options)", "--fps", "max", "--frames", "90", "--output", name, "--quiet"],
                in: folder.url)
            try #require(run.status == 0, "\(run.errors)")
        }
    }

    private static let picture = [
        "--main", "road.mp4", "--inset", "driver.mkv", "--layout", "top-right,width=40%,radius=8", "--effect",
        "main:sepia",
    ]

    private func compose(_ arguments: [String]) async throws -> CommandProcess {
        try await CommandProcess(Self.picture + arguments, in: folder.url)
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    /// The checksums of all decoded frames of a movie.
    private func pictures(_ name: String) async throws -> Data {
        let run = try await CommandProcess(
            ["ffmpeg", "-v", "error", "-i", name, "-f", "framemd5", "-"], of: URL(filePath: "/usr/bin/env"),
            in: folder.url)
        return run.output
    }

    @Test("five parts, joined, are to the bit what is composed in one go, and each is made once")
    func joined() async throws {
        let once = try await compose(["--fps", "max", "--output", "once.mkv?codec=mjpeg", "--quiet"])
        try #require(once.status == 0, "\(once.errors)")
        let output = "part-%02d.mkv?codec=mjpeg"
        for index in [4, 0, 2, 1, 3] {
            let run = try await compose(["--output", output, "--shard", "\(index)/5", "--stats", "\(index).json"])
            #expect(
                run.status == 0 && run.errors.contains("shard \(index)/5, from frame \(index * 108 / 5) on"),
                "\(run.errors)")
            #expect(run.errors.contains("part-0\(index).mkv"))
        }
        let again = try await compose(["--output", output, "--shard", "2/5"])
        #expect(
            again.status == 0 && again.errors.contains("shard 2/5: made already: part-02.mkv"), "\(again.errors)")
        let join = try await CommandProcess(
            shell: "join part-*.mkv --output whole.mkv", in: folder.url)
        #expect(join.status == 0 && join.errors.contains("whole.mkv: 5 parts, 108 frames, 3.600 s"), "\(join.errors)")
        let whole = try await pictures("whole.mkv")
        #expect(whole.count > 1000)
        #expect(try await whole == pictures("once.mkv"))
        let statistics = try JSONSerialization.jsonObject(with: Data(folder.read("3.json"))) as? [String: Any]
        let shard = statistics?["shard"] as? [String: Int]
        #expect(shard == ["index": 3, "count": 5, "first_frame": 64])
    }

    @Test("a configuration has parts, too")
    func configuration() async throws {
        let text = """
            cameras: {road: {source: road.mp4}}
            scenes: {all: {main: road}}
            outputs: [{to: "p-%03d.mp4"}]
            """
        try folder.write(Array(text.utf8), to: "rig.yaml")
        for index in 0..<2 {
            let run = try await CommandProcess(["run", "rig.yaml", "--shard", "\(index)/2", "--quiet"], in: folder.url)
            #expect(run.status == 0, "\(run.errors)")
        }
        let join = try await CommandProcess(["join", "p-000.mp4", "p-001.mp4", "-o", "whole.mp4"], in: folder.url)
        #expect(join.errors.contains("whole.mp4: 2 parts, 90 frames, 3.000 s"), "\(join.errors)")
    }

    @Test(
        "what has no parts is refused with a sentence, and nothing is written",
        arguments: [
            (["--output", "p.mp4", "--shard", "4/4"], 64, "must be from 0 to 3"),
            (["--output", "p.y4m", "--shard", "0/4"], 64, "writes parts of movies"),
            (["--output", "p.ts", "--shard", "0/4"], 64, "writes parts of movies"),
            (["--output", "p.mp4?segment=1s", "--shard", "0/4"], 64, "writes parts of movies"),
            (["--output", "p.mp4?fps=10", "--shard", "0/4"], 64, "leave fps out"),
            (["--output", "p-%H.mp4", "--shard", "0/4"], 64, "but no fields of the time"),
            (["--output", "p.mp4", "--fps", "15", "--shard", "0/4"], 64, "leave the rate (--fps) out"),
            (["--output", "p.mp4", "--audio", "tone", "--shard", "0/4"], 64, "parts have no sound"),
            (["--output", "p.mp4", "--effect", "main:low-pass", "--shard", "0/4"], 64, "low-pass would make"),
            (["--output", "p.mp4", "--frames", "3", "--shard", "0/4"], 64, "number of frames, 3"),
            (["--output", "driver.mkv", "--shard", "0/4"], 64, "would be overwritten"),
            (["--output", "none/p.mp4", "--shard", "0/4"], 73, "does not exist"),
        ])
    func refused(_ arguments: [String], _ status: Int32, _ reason: String) async throws {
        let run = try await compose(arguments)
        #expect(run.status == status && run.errors.contains(reason), "\(run.status): \(run.errors)")
        #expect(try names == ["driver.mkv", "road.mp4"])
    }

    @Test("patterns have no end of their own, and cameras no parts")
    func endless() async throws {
        let arguments = ["--output", "p.mp4", "--shard", "1/2", "--quiet"]
        let endless = try await CommandProcess(["--main", "pattern:bars?size=64x32"] + arguments, in: folder.url)
        #expect(endless.status == 64 && endless.errors.contains("add a limit (--duration"), "\(endless.errors)")
        let camera = try await CommandProcess(["--main", "/dev/video99"] + arguments, in: folder.url)
        #expect(camera.status == 64 && camera.errors.contains("/dev/video99 cannot be divided"), "\(camera.errors)")
        // 2.997 frames are rounded to three, as in a run of the whole composition.
        let short = try await CommandProcess(
            [
                "--main", "pattern:bars?size=64x32&fps=29.97", "--duration", "100ms", "--output", "s.mp4", "--shard",
                "2/3",
            ],
            in: folder.url)
        #expect(short.status == 0 && short.errors.contains("shard 2/3, from frame 2 on"), "\(short.errors)")
        let limited = try await CommandProcess(
            ["--main", "pattern:bars?size=64x32", "--frames", "7"] + arguments, in: folder.url)
        #expect(limited.status == 0, "\(limited.errors)")
        let file = try await CommandProcess(
            [
                "ffprobe", "-v", "error", "-count_packets", "-show_entries", "stream=nb_read_packets", "-of", "csv=p=0",
                "p.mp4",
            ],
            of: URL(filePath: "/usr/bin/env"), in: folder.url)
        #expect(file.text.hasPrefix("4"))
    }

    @Test("a part that is stopped is to be made again: 75, and no file", arguments: [SIGTERM, SIGINT])
    func stopped(_ signal: Int32) async throws {
        let run = try await CommandProcess(
            [
                "--main", "pattern:scene?size=640x480", "--frames", "1000000", "--output", "p.mp4", "--shard", "0/2",
            ], in: folder.url
        ) { process in
            try await waitUntil { folder.size(".unfinished-p.mp4") > 50_000 }
            process.send(signal)
        }
        #expect(run.status == 75 && run.errors.contains("its files are deleted; run the shard again"), "\(run.errors)")
        #expect(try names == ["driver.mkv", "road.mp4"])
    }

    @Test("what a killed part leaves is no file of its name, and in nobody's way")
    func killed() async throws {
        let arguments = ["--main", "pattern:scene?size=320x240", "--output", "p.mp4", "--quiet"]
        let run = try await CommandProcess(
            arguments + ["--frames", "1000000", "--shard", "0/2"], in: folder.url
        ) { process in
            try await waitUntil { folder.size(".unfinished-p.mp4") > 50_000 }
            process.send(SIGKILL)
        }
        #expect(run.status == -SIGKILL)
        #expect(try !names.contains("p.mp4"))
        let again = try await CommandProcess(arguments + ["--frames", "20", "--shard", "0/2"], in: folder.url)
        #expect(again.status == 0, "\(again.errors)")
        #expect(try names == ["driver.mkv", "p.mp4", "road.mp4"])
    }
}
#endif
