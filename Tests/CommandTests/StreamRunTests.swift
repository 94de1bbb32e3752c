#if Media
import Foundation
import PipCompose
import PipTestSupport
import Testing

@Suite(
    "Streams by the command", .serialized,
    .enabled(
        if: ["/usr/sbin/nginx", "/usr/lib/nginx/modules/ngx_rtmp_module.so", "/usr/bin/srt-live-transmit"]
            .allSatisfy(FileManager.default.fileExists),
        "needs nginx with its RTMP module, and srt-live-transmit: `make test-setup` installs them"))
struct StreamRunTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The number of frames in a movie, and true if its first frame is a key frame.
    private func frames(_ path: String) async throws -> (count: Int, beginsWithKey: Bool) {
        let run = try await CommandProcess(
            [
                "ffprobe", "-v", "quiet", "-select_streams", "v:0", "-show_entries", "packet=flags", "-of", "csv=p=0",
                path,
            ],
            of: URL(filePath: "/usr/bin/env"), in: folder.url)
        let flags = run.text.split(separator: "\n")
        return (flags.count, flags.first?.hasPrefix("K") == true)
    }

    private var kept: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path("kept")).sorted() }
    }

    /// True if the recording beside the streams has as many frames as were composed.
    private func isWhole(_ name: String) async throws -> Bool {
        let statistics = try folder.object("stats.json")
        let composed = (statistics["output"] as? [String: Any])?["frames"] as? Int
        return try await frames(folder.path(name)).count == composed
    }

    @Test("row 56: an RTMP server is killed, refuses, comes back and hangs: the recording beside it has every frame")
    func rtmp() async throws {
        let server = try MediaServer.rtmp(in: folder, port: 19351)
        try server.start()
        let arguments = [
            "--main", "pattern:scene?size=320x192", "--output", "rtmp://127.0.0.1:19351/live/${PIP_KEY}?bitrate=2M",
            "--output", "rec.mp4", "--stats", "stats.json",
        ]
        let run = try await CommandProcess(
            arguments, in: folder.url, environment: ["PIP_KEY": "hush-4711"], seconds: 120
        ) { running in
            try await waitUntil { try kept.contains { folder.size("kept/\($0)") > 100_000 } }
            server.kill()
            let first = try kept
            try await waitUntil { running.errors.contains("; the stream is tried again") }
            try server.start()
            try await waitUntil {
                try kept.contains { !first.contains($0) && folder.size("kept/\($0)") > 100_000 }
            }
            server.send(SIGSTOP)
            try await waitUntil { running.errors.contains("the receiver has taken no data for 3 s") }
            let second = try kept
            server.send(SIGCONT)
            try await waitUntil {
                try kept.contains { !second.contains($0) && folder.size("kept/\($0)") > 100_000 }
            }
            running.send(SIGINT)
        }
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains(": connected"), "\(run.errors)")
        let statistics = String(decoding: try folder.read("stats.json"), as: UTF8.self)
        #expect(!run.errors.contains("hush") && !run.text.contains("hush") && !statistics.contains("hush"))
        #expect(try await isWhole("rec.mp4"), "\(run.errors)\(statistics)")
        for part in try kept {
            let found = try await frames(folder.path("kept/\(part)"))
            #expect(found.beginsWithKey, "\(part): \(found)")
        }
    }

    @Test(
        "row 57: a refusal, an unknown host and a wrong passphrase are told without what is secret, and the rest goes on"
    )
    func refusals() async throws {
        let run = try await CommandProcess(
            [
                "--main", "pattern:scene?size=160x96", "--output", "rtmp://127.0.0.1:1/live/hush-1", "--output",
                "rtmps://user:hush-2@nowhere.invalid/live/hush-3", "--output",
                "srt://127.0.0.1:2?passphrase=hush-4-hush-4", "--output", "rtsp://u:hush-5@127.0.0.1:3/a", "--output",
                "rec.mp4", "--stats", "stats.json",
            ], in: folder.url
        ) { running in
            try await waitUntil {
                running.errors.split(separator: "\n").filter { $0.contains("; the stream is tried again") }.count >= 4
            }
            running.send(SIGINT)
        }
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.errors.contains("rtmp://127.0.0.1:1/live/…: ") && run.errors.contains("; the stream is tried again"))
        let statistics = String(decoding: try folder.read("stats.json"), as: UTF8.self)
        for text in [run.errors, run.text, statistics] { #expect(!text.contains("hush"), "\(text)") }
        #expect(try await isWhole("rec.mp4"), "\(run.errors)")
    }

    /// Streams over RTP until FFmpeg has played part of the stream from the session description alone.
    ///
    /// - Returns: The session description (SDP).
    private func play(_ arguments: [String], _ limit: [String], into file: String) async throws -> String {
        let player = [
            "ffmpeg", "-nostdin", "-v", "error", "-protocol_whitelist", "file,udp,rtp", "-i", "live.sdp",
        ]
        let main = ["--main", "pattern:scene?size=160x96"]
        let run = try await CommandProcess(main + arguments, in: folder.url, seconds: 60) { running in
            try await waitUntil { folder.size("live.sdp") > 0 }
            let played = try await CommandProcess(
                player + limit + ["-c", "copy", file], of: URL(filePath: "/usr/bin/env"), in: folder.url)
            #expect(played.status == 0, "\(played.errors)")
            running.send(SIGINT)
        }
        #expect(run.status == 0, "\(run.errors)")
        return String(decoding: try folder.read("live.sdp"), as: UTF8.self)
    }

    @Test("a player finds an RTP stream by its session description, whose place is checked at once")
    func rtp() async throws {
        let stream = "rtp://127.0.0.1:19354?sdp="
        let refused = try await folder.run("--main pattern:bars --output \(stream)nowhere/live.sdp --frames 3")
        #expect(refused.status == 73 && refused.errors.contains("nowhere/live.sdp"), "\(refused.errors)")
        let text = try await play(["--output", stream + "live.sdp"], ["-frames:v", "30"], into: "got.mp4")
        #expect(text.contains("m=video 19354 RTP/AVP 96") && text.contains("a=rtpmap:96 H264/90000"), "\(text)")
        #expect(text.contains("c=IN IP4 127.0.0.1") && text.contains("sprop-parameter-sets="), "\(text)")
        #expect(try await frames(folder.path("got.mp4")).count == 30)
        #expect(try folder.names.sorted() == ["got.mp4", "live.sdp"])
    }

    @Test("the description of an RTP stream with sound has both")
    func rtpSound() async throws {
        let text = try await play(
            ["--audio", "tone:440", "--output", "rtp://127.0.0.1:19356?sdp=live.sdp"], ["-t", "2"], into: "got.mkv")
        #expect(text.contains("m=video 19356 RTP/AVP 96") && text.contains("m=audio 19358 RTP/AVP 97"), "\(text)")
        #expect(text.lowercased().contains("a=rtpmap:97 opus/48000/2"), "\(text)")
        let kinds = try await CommandProcess(
            ["ffprobe", "-v", "quiet", "-show_entries", "stream=codec_name", "-of", "csv=p=0", "got.mkv"],
            of: URL(filePath: "/usr/bin/env"), in: folder.url)
        #expect(Set(kinds.text.split(separator: "\n")) == ["h264", "opus"], "\(kinds.text)")
    }

    @Test("row 59: an SRT receiver that comes late, and again, is sent to from a key frame")
    func srt() async throws {
        let receivers = (0..<2).map { number in
            MediaServer(
                [
                    "sh", "-c",
                    "exec srt-live-transmit -q 'srt://127.0.0.1:19353?mode=listener&latency=60' file://con "
                        + "> \(folder.path("got\(number).ts"))",
                ], in: folder.url)
        }
        let arguments = [
            "--main", "pattern:scene?size=320x192", "--output", "srt://127.0.0.1:19353?latency=60", "--output",
            "rec.mp4", "--stats", "stats.json",
        ]
        let run = try await CommandProcess(arguments, in: folder.url, seconds: 120) { running in
            try await waitUntil { running.errors.contains("; the stream is tried again") }
            for (number, receiver) in receivers.enumerated() {
                try receiver.start()
                let start = ContinuousClock.now
                try await waitUntil { folder.size("got\(number).ts") > 0 }
                FaultReport.record(
                    row: 59,
                    figures: "it gets pictures \(Int(start.duration(to: .now) / .milliseconds(1))) ms after its start")
                try await waitUntil { folder.size("got\(number).ts") > 200_000 }
                receiver.kill()
            }
            running.send(SIGINT)
        }
        #expect(run.status == 0, "\(run.errors)")
        #expect(try await isWhole("rec.mp4"), "\(run.errors)")
        for number in 0..<2 {
            let found = try await frames(folder.path("got\(number).ts"))
            #expect(found.beginsWithKey, "\(number): \(found), \(run.errors)")
        }
    }
}
#endif
