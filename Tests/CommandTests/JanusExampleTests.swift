#if Media
import Foundation
import PipTestSupport
import Testing

/// Tests the packaged example for Janus with Janus itself.
@Suite("The example for Janus", .timeLimit(.minutes(4)))
struct JanusExampleTests {
    private let folder: TemporaryFolder
    private let server: ViewerServer

    init() throws {
        folder = try TemporaryFolder()
        server = ViewerServer(folder: folder)
    }

    /// Configures Janus on the loopback interface, with the example's mountpoint.
    ///
    /// Video arrives at `streamPort`, and the HTTP API is at `port`. The caller must start the server.
    private func janus(_ streamPort: Int, _ port: Int) throws -> MediaServer {
        let example = try ViewerServer.example("janus.plugin.streaming.jcfg").replacing("5004", with: "\(streamPort)")
            .replacing("5006", with: "\(streamPort + 2)")
        try folder.write(Array(example.utf8), to: "janus.plugin.streaming.jcfg")
        let http = "general: { http = true, ip = \"127.0.0.1\", port = \(port) }\n"
        try folder.write(Array(http.utf8), to: "janus.transport.http.jcfg")
        // The test does not need the other plug-ins and transports, some of which would open ports.
        let others = ["mqtt", "nanomsg", "pfunix", "rabbitmq", "websockets"].map { "libjanus_\($0).so" }
        let main = """
            nat: { full_trickle = false }
            plugins: { disable = "libjanus_lua.so,libjanus_duktape.so,libjanus_sip.so,libjanus_nosip.so" }
            transports: { disable = "\(others.joined(separator: ","))" }

            """
        try folder.write(Array(main.utf8), to: "janus.jcfg")
        return MediaServer(
            ["janus", "--configs-folder=\(folder.url.path)", "--log-file=janus.log", "--disable-stdout"],
            in: folder.url)
    }

    @Test(
        "Janus gets picture and sound by its example, and shows them to a viewer",
        .enabled(if: ViewerServer.isThere("/usr/bin/janus"), "needs Janus: `make test-setup` installs it"))
    func janus() async throws {
        let (streamPort, port) = (try FreePort.udp(), try FreePort.tcp())
        let janus = try janus(streamPort, port)
        try janus.start()
        let api = "http://127.0.0.1:\(port)/janus"
        try await waitUntil { try await server.answer(["\(api)/info"]) != nil }
        let plugin = try await JanusPlugin(api, server)
        // Before the first packet, Janus reports the time since its own start.
        try await waitUntil { try await plugin.ages().allSatisfy { $0 > 1000 } }
        let line = try #require(
            try ViewerServer.example("janus.plugin.streaming.jcfg").split(separator: "\n").first {
                $0.contains("--output")
            })
        let output = String(try #require(line.split(separator: "'").last)).replacing("5004", with: "\(streamPort)")
        try await server.compose(to: output) {
            try await waitUntil { try await plugin.ages().allSatisfy { $0 < 500 } }
            let offer = try await plugin.offer()
            #expect(offer.contains("H264/90000") && offer.contains("opus/48000/2"), "\(offer)")
            guard ViewerServer.hasPython else { return }
            let viewer = try await PythonPackages.run(
                "python3", [PythonPackages.scripts.appending(path: "janus-viewer.py").path, api, "1", "30"],
                in: folder.url)
            #expect(viewer.status == 0 && viewer.said.contains("320x192, 30 frames"), "\(viewer.said)")
        }
    }
}

/// An HTTP client of Janus's streaming plug-in.
private struct JanusPlugin {
    private let path: String
    private let session: String
    private let server: ViewerServer

    /// Creates a session with the plug-in at the address of Janus's HTTP API.
    init(_ api: String, _ server: ViewerServer) async throws {
        self.server = server
        func identifier(_ path: String, _ body: String) async throws -> Int {
            let answer = try Self.object(try await server.answer(["--data", body, path]))
            return try #require((answer["data"] as? [String: Any])?["id"] as? Int)
        }
        session = "\(api)/\(try await identifier(api, #"{"janus": "create", "transaction": "1"}"#))"
        let attach = #"{"janus": "attach", "plugin": "janus.plugin.streaming", "transaction": "2"}"#
        path = "\(session)/\(try await identifier(session, attach))"
    }

    /// The milliseconds since the mountpoint's last audio packet and since its last video packet.
    func ages() async throws -> [Int] {
        let answer = try await message("info")
        let data = (answer["plugindata"] as? [String: Any])?["data"] as? [String: Any]
        let media = try #require((data?["info"] as? [String: Any])?["media"] as? [[String: Any]], "\(answer)")
        try #require(media.count == 2)
        return try media.map { try #require($0["age_ms"] as? Int, "\($0)") }
    }

    /// Requests the SDP offer that Janus sends to a viewer of the mountpoint.
    func offer() async throws -> String {
        _ = try await message("watch")
        let event = try Self.object(try await server.answer(["\(session)?maxev=1"]))
        return try #require((event["jsep"] as? [String: Any])?["sdp"] as? String, "\(event)")
    }

    private func message(_ request: String) async throws -> [String: Any] {
        let body = #"{"janus": "message", "transaction": "3", "body": {"request": "\#(request)", "id": 1}}"#
        return try Self.object(try await server.answer(["--data", body, path]))
    }

    private static func object(_ text: String?) throws -> [String: Any] {
        let text = try #require(text, "Janus does not answer")
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
    }
}
#endif
