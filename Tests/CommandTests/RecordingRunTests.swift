#if Media
import Foundation
import PipCompose
import PipTestSupport
import Testing

@Suite("Recordings by the command", .serialized)
struct RecordingRunTests {
    private static let frameBytes = 160 * 96 * 3 / 2
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The number of frames that FFmpeg decodes from a movie; 0 for a movie that does not play.
    private func frames(_ name: String) async throws -> Int {
        let run = try await CommandProcess(
            [
                "ffprobe", "-v", "quiet", "-select_streams", "v:0", "-count_frames", "-show_entries",
                "stream=nb_read_frames", "-of", "csv=p=0", name,
            ], of: URL(filePath: "/usr/bin/env"), in: folder.url)
        return Int(run.text.prefix { $0.isNumber }) ?? 0
    }

    @Test("explain names the encoder of each recording, and what a frame costs it")
    func explained() async throws {
        let line = "explain --main pattern:scene?size=160x96 --output a.mp4 --output b.webm?size=64x64 --output c.y4m"
        let text = try await folder.run(line).text
        #expect(text.contains(/encoder of a\.mp4: (.*; )?\w+: [0-9.]+ ms a frame\n/))
        #expect(text.contains(/encoder of b\.webm: (.*; )?vp8enc: [0-9.]+ ms a frame\n/))
        #expect(!text.contains("encoder of c.y4m"))
        let run = try await folder.run(line.replacing("explain", with: "explain --format json"))
        let object = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
        let encoders = try #require(object["encoders"] as? [[String: Any]])
        #expect(encoders.map { $0["output"] as? String } == ["a.mp4", "b.webm"])
        #expect(encoders.map { $0["size"] as? String } == ["160x96", "64x64"])
        #expect(encoders.allSatisfy { ($0["milliseconds_per_frame"] as? Double ?? 0) > 0 })
        #expect(try folder.names == [])
    }

    @Test("row 50: after kill -9 a file plays, and at most half a second is missing")
    func killed() async throws {
        var mostMissing = 0
        for batch in 0..<10 {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<5 {
                    let moment = Duration.milliseconds(900 + (number * 10 + batch) * 31)
                    let ending = ["mp4", "mkv", "mp4", "ts", "mp4"][number]
                    group.addTask { try await kill("\(batch)-\(number)", ending, at: moment) }
                }
                for try await missing in group { mostMissing = max(mostMissing, missing) }
            }
        }
        FaultReport.record(
            row: 50, figures: "50 movies at random moments: all play, at most \(mostMissing) frames missing")
    }

    /// Records until the test kills the program.
    ///
    /// - Returns: The number of composed frames that the movie lacks.
    private func kill(_ name: String, _ ending: String, at moment: Duration) async throws -> Int {
        // A second, uncompressed file tells how many frames the program composed.
        let arguments = [
            "--main", "pattern:scene?size=64x48", "--quiet", "--output", "\(name).\(ending)?speed=fastest", "--output",
            "\(name).i420",
        ]
        let run = try await CommandProcess(arguments, in: folder.url) { running in
            try await waitUntil { folder.size("\(name).i420") > 0 }
            try await Task.sleep(for: moment)
            running.send(SIGKILL)
        }
        #expect(run.status == -SIGKILL)
        let composed = folder.size("\(name).i420") / (64 * 48 * 3 / 2)
        let recorded = try await frames("\(name).\(ending)")
        // Half a second may be missing, and the frames in the queues between threads.
        #expect(recorded >= composed - 15 - 3, "\(ending): \(recorded) of \(composed)")
        #expect(recorded <= composed + 1, "\(ending): \(recorded) of \(composed)")
        return max(0, composed - recorded)
    }

    @Test("SIGUSR1 begins a new file, and no frame is lost or twice")
    func splits() async throws {
        let arguments = [
            "--main", "pattern:scene?size=160x96", "--output", "a-%03d.mp4?segment=1h", "--output", "a.i420",
        ]
        let run = try await CommandProcess(arguments, in: folder.url) { running in
            for number in 1...3 {
                try await waitUntil { folder.size("a-00\(number).mp4") > 0 }
                running.send(number < 3 ? SIGUSR1 : SIGINT)
            }
        }
        #expect(run.status == 0, "\(run.errors)")
        let names = try folder.names.filter { $0.hasSuffix(".mp4") }
        #expect(names == ["a-001.mp4", "a-002.mp4", "a-003.mp4"])
        var counts: [Int] = []
        for name in names { counts.append(try await frames(name)) }
        #expect(counts.allSatisfy { $0 > 0 })
        #expect(counts.reduce(0, +) == folder.size("a.i420") / Self.frameBytes)
    }

    @Test("SIGUSR1 marks a moment: a recording of clips writes what came before it and what comes after")
    func clips() async throws {
        let arguments = [
            "--main", "pattern:scene?size=160x96", "--output", "clip-%03d.mp4?event=1s+1s", "--output", "a.i420",
            "--verbose",
        ]
        let run = try await CommandProcess(arguments, in: folder.url) { running in
            try await waitUntil { folder.size("a.i420") > 75 * Self.frameBytes }
            #expect(try folder.names == ["a.i420"])
            running.send(SIGUSR1)
            try await waitUntil { running.errors.contains("the clip of signal is complete") }
            running.send(SIGINT)
        }
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("signal: marked"))
        #expect(try folder.names == ["a.i420", "clip-001.mp4"])
        #expect((58...62).contains(try await frames("clip-001.mp4")))
    }

    @Test("a line on standard input is a trigger, and its text the reason in the clip")
    func lines() async throws {
        let run = try await CommandProcess(
            [
                "-c",
                "(sleep 1.5; echo 'front door'; sleep 2) | \"$0\" --main pattern:scene?size=160x96 --duration 4s "
                    + "--verbose --on line,name=bell --output clip-%03d.mkv?event=1s+1s", CommandProcess.program.path,
            ], of: URL(filePath: "/bin/bash"), in: folder.url)
        #expect(run.status == 0 && run.errors.contains("bell (front door): marked"), "\(run.errors)")
        let tags = try await CommandProcess(
            ["ffprobe", "-v", "quiet", "-show_entries", "format_tags", "clip-001.mkv"],
            of: URL(filePath: "/usr/bin/env"), in: folder.url)
        #expect(tags.text.contains("bell (front door)"), "\(tags.text)")
    }

    @Test("a time-lapse is told by explain, recorded in parts beside picture files, and joined")
    func timeLapse() async throws {
        let main = "--main pattern:scene?size=160x96&fps=10 --output lapse-%03d.mp4?every=2s&segment=2s"
        let plan = try await folder.run("explain \(main)").text
        #expect(plan.contains("for lapse-%03d.mp4 (a picture every 2.0 seconds)"), "\(plan)")
        try await folder.succeed("\(main) --output shots/%06d.jpg?every=10s --frames 3000 --fps max --quiet")
        let parts = (1...3).map { "lapse-00\($0).mp4" }
        for part in parts { #expect(try await frames(part) == 50) }
        try await folder.succeed("join \(parts.joined(separator: " ")) -o whole.mp4")
        #expect(try await frames("whole.mp4") == 150)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("shots")).count == 30)
    }

    @Test("one camera has a file of its own beside the composed picture")
    func ownFiles() async throws {
        try await folder.succeed(
            "--main pattern:bars?size=160x96 --inset pattern:scene?size=64x48 --frames 20 --fps max --quiet "
                + "--output whole.mp4 --output inset:inset.mkv --output main:main.ts")
        for name in ["whole.mp4", "inset.mkv", "main.ts"] { #expect(try await frames(name) == 20) }
        let size = try await CommandProcess(
            ["ffprobe", "-v", "quiet", "-show_entries", "stream=width,height", "-of", "csv=p=0", "inset.mkv"],
            of: URL(filePath: "/usr/bin/env"), in: folder.url)
        #expect(size.text.hasPrefix("64,48"))
        let wrong = try await folder.run("--main pattern:bars --frames 2 --output inset2:x.mp4")
        #expect(wrong.status == 64 && wrong.errors.contains("there is no inset"), "\(wrong.errors)")
    }

    @Test(
        "options that make no sense are told with their reason",
        arguments: [
            ("a.mp4?codec=vp8", 64, "cannot hold VP8"), ("a.mp4?bitrate=0", 64, "between 10k and 1G"),
            ("a.mp4?bitrate=1T", 64, "bits a second"), ("a.mp4?gop=1h", 64, "at most 60s"),
            ("a.mp4?codec=h266", 64, "did you mean h26"), ("a.mp4?keep=1GB", 64, "segment=3m"),
            ("a.mp4?event=15s", 64, "as in 15s+10s"), ("a.mp4?event=0s+0s", 64, "not both 0"),
            ("a.mp4?every=0s", 64, "above zero"), ("a.mp4?every=1s&speed-up=9", 64, "exclude each other"),
            ("a.mp4?every=1s&event=1s+1s", 64, "leave event out"), ("%d.jpg?every=1ms", 64, "a picture every 0.001"),
            ("a.mp4?event=1s+1s&segment=3m", 64, "exclude each other"), ("live/a.m3u8?event=1s+1s", 64, "event"),
            ("a.mp4?quality=101", 64, "quality"),
            ("a.mp4?quality=50&bitrate=1M", 64, "bitrate and quality exclude each other: give one"),
            ("a.mp4?threads=0", 64, "threads"),
            ("a.mp4?speed=warp", 64, "fastest"), ("a.mp4?encoder=none", 73, "there is no encoder none"),
            ("nowhere/a.mp4", 73, "mkdir -p nowhere"), ("a.mp4?colour=red", 64, "has no option colour"),
            ("rtmp://host/app", 64, "no key"), ("rtmp:///app/key", 64, "no host"), ("srt://host", 64, "no port"),
            ("rtmp://host/app/${NO_SUCH_KEY}", 64, "NO_SUCH_KEY"), ("http://host/x", 64, "rtmp://"),
            ("rtmp://host/app/key?codec=vp8", 64, "cannot hold VP8"),
        ])
    func mistakes(_ output: String, _ status: Int32, _ reason: String) async throws {
        let run = try await folder.run("--main pattern:bars?size=64x32 --frames 2 --output \(output)")
        #expect(run.status == status && run.errors.contains(reason), "\(run.status): \(run.errors)")
        #expect(try folder.names == [])
    }
}
#endif
