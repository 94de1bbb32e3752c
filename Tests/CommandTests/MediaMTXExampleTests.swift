#if Media
import Foundation
import PipTestSupport
import Testing

/// Tests the addresses in the packaged example for mediamtx.
///
/// Debian does not package mediamtx, so other servers receive the streams.
@Suite("The example for mediamtx", .serialized, .timeLimit(.minutes(4)))
struct MediaMTXExampleTests {
    private let folder: TemporaryFolder
    private let server: ViewerServer

    init() throws {
        folder = try TemporaryFolder()
        server = ViewerServer(folder: folder)
    }

    /// The address that the example gives for a protocol, such as `RTMP`.
    private func address(of transport: String) throws -> String {
        let lines = try ViewerServer.example("mediamtx.yml").split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix("#   \(transport) ") })
        return String(try #require(line.split(separator: " ").last))
    }

    @Test(
        "an RTMP server gets picture and sound by the example",
        .enabled(
            if: ViewerServer.isThere("/usr/sbin/nginx", "/usr/lib/nginx/modules/ngx_rtmp_module.so"),
            "needs nginx and its RTMP module: `make test-setup` installs them"))
    func rtmp() async throws {
        let port = try FreePort.tcp()
        let nginx = try MediaServer.rtmp(in: folder, port: port)
        try nginx.start()
        try await server.compose(to: address(of: "RTMP").replacing("localhost:1935", with: "127.0.0.1:\(port)")) {
            try await waitUntil { folder.kept.contains { $0.hasPrefix("cam") && folder.size("kept/\($0)") > 100_000 } }
        }
        try await expectStreams(["h264", "aac"], of: "kept/\(try #require(folder.kept.first))")
    }

    @Test(
        "an SRT server gets picture and sound by the example",
        .enabled(
            if: ViewerServer.isThere("/usr/bin/srt-live-transmit"),
            "needs srt-live-transmit: `make test-setup` installs it"))
    func srt() async throws {
        let port = try FreePort.udp()
        let receiver = MediaServer(
            ["sh", "-c", "exec srt-live-transmit -q 'srt://127.0.0.1:\(port)?mode=listener' file://con > got.ts"],
            in: folder.url)
        try receiver.start()
        try await server.compose(to: address(of: "SRT").replacing("localhost:8890", with: "127.0.0.1:\(port)")) {
            try await waitUntil { folder.size("got.ts") > 200_000 }
        }
        try await expectStreams(["h264", "aac"], of: "got.ts")
    }

    @Test(
        "an RTSP server gets picture and sound by the example",
        .enabled(
            if: ViewerServer.isThere("/usr/lib/python3/dist-packages/gi"),
            "needs GStreamer's RTSP server for Python: `make test-setup` installs it"))
    func rtsp() async throws {
        let port = try FreePort.tcp()
        let script = PythonPackages.scripts.appending(path: "sound-receiver.py").path
        // Only the system's Python can import the system's GStreamer bindings.
        let receiver = MediaServer(
            ["/usr/bin/python3", script, "rtsp", "\(port)", folder.path("got.mkv"), "/live/cam"], in: folder.url)
        try receiver.start()
        try await server.compose(to: address(of: "RTSP").replacing("localhost:8554", with: "127.0.0.1:\(port)")) {
            try await waitUntil { folder.size("got.mkv") > 100_000 }
        }
        try await expectStreams(["h264", "aac"], of: "got.mkv")
    }

    @Test(
        "a WHIP server gets the picture by the example, with the user and the password as its token",
        .enabled(if: ViewerServer.hasPython, "needs the Python packages that `make test-setup` installs"))
    func whip() async throws {
        let port = try FreePort.tcp()
        let script = PythonPackages.scripts.appending(path: "whip-server.py").path
        let receiver = MediaServer(
            [PythonPackages.program("python3") ?? "", script, "\(port)", "camera:\(ViewerServer.password)"],
            in: folder.url)
        try receiver.start()
        try await server.compose(to: address(of: "WHIP").replacing("localhost:8889", with: "127.0.0.1:\(port)")) {
            try await waitUntil { try await seen(at: port)?["publishers"] as? Int == 1 }
            try await waitUntil { (try await seen(at: port)?["numbers"] as? [Int] ?? []).count > 30 }
        }
    }

    /// The report of the WHIP server; nil if the server does not answer.
    private func seen(at port: Int) async throws -> [String: Any]? {
        guard let text = try await server.answer(["http://127.0.0.1:\(port)/seen"]) else { return nil }
        return try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    }

    /// Expects that a file has streams with exactly these codecs.
    private func expectStreams(_ codecs: Set<String>, of name: String) async throws {
        let probe = try await CommandProcess(
            ["ffprobe", "-v", "quiet", "-show_entries", "stream=codec_name", "-of", "csv=p=0", name],
            of: URL(filePath: "/usr/bin/env"), in: folder.url)
        #expect(Set(probe.text.split(separator: "\n").map { $0.trimming(",") }) == codecs, "\(probe.text)")
    }
}

extension TemporaryFolder {
    /// The names of the RTMP server's recordings.
    fileprivate var kept: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path("kept"))) ?? []).sorted()
    }
}

extension Substring {
    fileprivate func trimming(_ characters: String) -> String {
        trimmingCharacters(in: CharacterSet(charactersIn: characters))
    }
}
#endif
