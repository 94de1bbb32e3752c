#if Media
import Foundation
import PipCompose
import PipTestSupport
import Testing

@Suite("A stream that others find and pull", .timeLimit(.minutes(20)))
struct ServedStreamTests {
    /// Opens connections that say nothing.
    private static let silence = """
        import socket, sys, time
        all = [socket.create_connection(("127.0.0.1", int(sys.argv[1]))) for _ in range(int(sys.argv[2]))]
        open("connected", "w").close()
        time.sleep(1000)
        """
    /// Begins to play through its own connection, and never reads the pictures.
    private static let mute = """
        import re, socket, sys, time
        place = "rtsp://127.0.0.1:%s/cam" % sys.argv[1]
        server = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
        def ask(method, *headers):
            server.sendall("\\r\\n".join((method + " RTSP/1.0",) + headers + ("", "")).encode())
            return server.recv(65536).decode(errors="replace")
        ask("DESCRIBE " + place, "CSeq: 1")
        answer = ask("SETUP " + place + "/stream=0", "CSeq: 2", "Transport: RTP/AVP/TCP;unicast;interleaved=0-1")
        session = re.search("Session: ([^;\\r]*)", answer).group(1)
        server.sendall(("PLAY %s RTSP/1.0\\r\\nCSeq: 3\\r\\nSession: %s\\r\\n\\r\\n" % (place, session)).encode())
        open("plays", "w").close()
        time.sleep(1000)
        """

    private let folder: TemporaryFolder
    private let port: Int

    init() throws {
        folder = try TemporaryFolder()
        port = try FreePort.tcp()
    }

    /// Composes a picture for an output, and runs a function once the output's server listens.
    private func serve(
        _ output: String, environment: [String: String] = [:],
        _ meanwhile: @escaping @Sendable () async throws -> Void
    ) async throws -> CommandProcess {
        let arguments = ["--main", "pattern:ramp?size=320x176&fps=20", "--inset", "pattern:bars?size=64x48"]
        return try await CommandProcess(
            arguments + ["--fps", "20", "--output", output], in: folder.url, environment: environment, seconds: 900
        ) { command in
            defer { command.send(SIGTERM) }
            try await waitUntil { try FreePort.hasListener(port) }
            try await meanwhile()
        }
    }

    private func run(_ words: [String], environment: [String: String] = [:]) async throws -> CommandProcess {
        try await CommandProcess(
            words, of: URL(filePath: "/usr/bin/env"), in: folder.url, environment: environment, seconds: 900)
    }

    // MARK: TLS

    private func probe(_ place: String) async throws -> CommandProcess {
        try await run(["ffprobe", "-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", place])
    }

    /// True if the server's certificate is one of an authority's, as openssl checks it.
    private func checks(_ authority: String) async throws -> Bool {
        try await run(
            ["openssl", "s_client", "-connect", "127.0.0.1:\(port)", "-verify_return_error", "-CAfile", authority]
        ).status == 0
    }

    @Test("by TLS, the certificate is the right one, and FFmpeg plays with the right password only")
    func secure() async throws {
        try await TestCertificates.make(in: folder)
        let output = "rtsps-server:viewer:hush-4711@127.0.0.1:\(port)/cam?certificate=server.pem&key=server.key"
        let composed = try await serve(output) {
            let place = "viewer:hush-4711@127.0.0.1:\(port)/cam"
            let seen = try await probe("rtsps://\(place)")
            #expect(seen.text == "h264\n", "\(seen.errors)")
            #expect(try await checks("ca.pem"))
            #expect(try await !checks("other.pem"))
            #expect(try await probe("rtsps://viewer:wrong@127.0.0.1:\(port)/cam").status != 0)
            #expect(try await probe("rtsp://\(place)").status != 0)
        }
        #expect(composed.status == 0, "\(composed.errors)")
        #expect(!composed.errors.contains("hush-4711"))
    }

    @Test("connections that ask for nothing are closed after a while, and make room for players", arguments: ["", "s"])
    func silent(_ security: String) async throws {
        try await TestCertificates.make(in: folder)
        let options = security.isEmpty ? "" : "?certificate=server.pem&key=server.key"
        let composed = try await serve("rtsp\(security)-server:127.0.0.1:\(port)/cam\(options)") {
            // One more would be refused.
            let silent = MediaServer(["python3", "-c", Self.silence, "\(port)", "128"], in: folder.url)
            try silent.start()
            try await waitUntil { FileManager.default.fileExists(atPath: folder.path("connected")) }
            let place = "rtsp\(security)://127.0.0.1:\(port)/cam"
            #expect(try await probe(place).status != 0)
            try await waitUntil { try await probe(place).text == "h264\n" }
        }
        #expect(composed.status == 0, "\(composed.errors)")
    }

    @Test(
        "a certificate that is none, and options that do not fit, are refused with a sentence",
        arguments: [
            ("rtsps-server:127.0.0.1:P/cam", 64, "a server by TLS needs a certificate"),
            ("rtsp-server:127.0.0.1:P/cam?certificate=a.pem", 64, "an address that begins with rtsps://"),
            ("rtsps-server:127.0.0.1:P/cam?certificate=none.pem", 73, "the certificate none.pem cannot be used: "),
            ("rtsps-server:127.0.0.1:P/cam?certificate=text.pem", 73, "the certificate text.pem cannot be used: "),
            ("rtsp-server:0.0.0.0:P/cam?announce", 64, "the option announce needs a name"),
            ("rtsps-server:127.0.0.1:P/cam?key=a.pem", 64, "rtsps-server:…: the option key needs"),
            ("rtsp-server:127.0.0.1:P/cam?announce=Door", 64, "listens at 127.0.0.1 alone cannot be announced"),
            (
                "rtsp-server:0.0.0.0:P/cam?announce=\(String(repeating: "x", count: 64))", 64,
                "the name to announce must have 1 to 63 bytes"
            ),
        ])
    func refusals(output: String, status: Int32, sentence: String) async throws {
        try folder.write(Array("not a certificate\n".utf8), to: "text.pem")
        let run = try await CommandProcess(
            ["--main", "pattern:ramp", "--duration", "1s", "--output"]
                + [output.replacingOccurrences(of: "P/", with: "\(port)/")], in: folder.url)
        #expect(run.status == status && run.errors.contains(sentence), "\(run.errors)")
    }

    // MARK: The local network

    @Test(
        "the local network finds it by its name, also when Avahi begins later, ends and comes back",
        .enabled(if: AvahiNetwork.obstacle == nil, "\(AvahiNetwork.obstacle ?? "")"))
    func announced() async throws {
        let network = try await AvahiNetwork(in: folder)
        let output = "rtsp-server:0.0.0.0:\(port)/cam?announce=Front door"
        let composed = try await serve(output, environment: network.environment) {
            for _ in 0..<2 {
                try network.start()
                try await waitUntil { try await network.services("_rtsp._tcp").contains { $0.hasSuffix(found) } }
                try await network.stop()
            }
        }
        #expect(composed.status == 0, "\(composed.errors)")
        let lines = composed.errors.split(separator: "\n").filter { $0.contains("announced") }
        #expect(lines.first?.hasSuffix("it is not announced in the network, because avahi-daemon does not run") == true)
        #expect(lines.dropFirst().first?.hasSuffix("it is announced in the network") == true, "\(composed.errors)")
    }

    @Test(
        "where its name is another service's, the local network finds it by the next name",
        .enabled(if: AvahiNetwork.obstacle == nil, "\(AvahiNetwork.obstacle ?? "")"))
    func collision() async throws {
        let network = try await AvahiNetwork(in: folder)
        try network.start()
        let other = try network.publish("Front door", "_rtsp._tcp", port: 9)
        defer { other.kill() }
        try await waitUntil { try await network.services("_rtsp._tcp").count == 1 }
        let output = "rtsp-server:0.0.0.0:\(port)/cam?announce=Front door"
        let composed = try await serve(output, environment: network.environment) {
            try await waitUntil {
                try await network.services("_rtsp._tcp").contains { $0.contains("\\0352") && $0.hasSuffix(found) }
            }
        }
        let sentence = "it is announced as Front door #2, because another service has the name Front door"
        #expect(composed.status == 0 && composed.errors.contains(sentence), "\(composed.errors)")
        try await waitUntil { try await network.services("_rtsp._tcp").count == 1 }
    }

    /// The end of Avahi's line for the stream: its port, and the text with its path.
    private var found: String { ";\(port);\"path=/cam\"" }

    // MARK: Players

    /// The seconds for which all players play: `PIP_PLAYERS_SECONDS`, or 12.
    private static let seconds = ProcessInfo.processInfo.environment["PIP_PLAYERS_SECONDS"].flatMap(Int.init) ?? 12

    @Test("FFmpeg, GStreamer and this program play without a gap beside players that freeze, are cut and never read")
    func players() async throws {
        let (place, seconds) = ("rtsp://127.0.0.1:\(port)/cam", Self.seconds)
        let composed = try await serve("rtsp-server:127.0.0.1:\(port)/cam") {
            let ffmpeg = ["ffmpeg", "-nostdin", "-v", "error", "-rtsp_transport", "tcp", "-i", place]
            let frozen = MediaServer(ffmpeg + ["-f", "rawvideo", "frozen"], in: folder.url)
            let cut = MediaServer(ffmpeg + ["-f", "rawvideo", "cut"], in: folder.url)
            for one in [frozen, cut] { try one.start() }
            let mute = MediaServer(["python3", "-c", Self.mute, "\(port)"], in: folder.url)
            try mute.start()
            async let one = run(ffmpeg + ["-t", "\(seconds)", "-c", "copy", "ffmpeg.mkv"])
            async let two = run(
                [
                    "timeout", "-s", "INT", "-k", "2", "\(seconds)", "gst-launch-1.0", "-e", "rtspsrc",
                    "location=\(place)",
                ]
                    + ["protocols=tcp", "!", "rtph264depay", "!", "h264parse", "!", "matroskamux", "!", "filesink"]
                    + ["location=gstreamer.mkv"])
            async let three = CommandProcess(
                ["--main", place, "--duration", "\(seconds)s", "--fps", "20", "--output", "ours.y4m"],
                in: folder.url, seconds: seconds + 60)
            async let four = run(["ffprobe", "-v", "error", "-show_entries", "stream=codec_name", place])
            try await waitUntil { ["frozen", "cut", "plays"].allSatisfy { folder.size($0) >= 0 } }
            frozen.send(SIGSTOP)
            cut.kill()
            #expect(try await one.status == 0)
            _ = try await two
            let ours = try await three
            #expect(ours.status == 0 && !ours.errors.contains("lost"), "\(ours.errors)")
            #expect(try await four.status == 0)
        }
        #expect(composed.status == 0, "\(composed.errors)")
        for file in ["ffmpeg.mkv", "gstreamer.mkv"] {
            let times = try await run(
                ["ffprobe", "-v", "error", "-show_entries", "packet=pts_time", "-of", "csv=p=0", file]
            ).text.split { ",\n".contains($0) }.compactMap { Double($0) }
            #expect(Double(times.count) > Double(seconds) * 20 * 0.5, "\(file): \(times.count) pictures")
            let longest = zip(times.dropFirst(), times).map { $0 - $1 }.max() ?? 0
            #expect(longest < 0.5, "\(file): a gap of \(longest) s")
        }
    }
}
#endif
