import Foundation
import PipCompose
import PipTestSupport
import Testing

#if Control
@Suite("The panel on the command line", .timeLimit(.minutes(2)))
struct PanelRunTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("a port in use ends it with 69 and a sentence, before a file is made")
    func inUse() async throws {
        let taken = try ListeningSocket()
        let port = taken.port
        defer { withExtendedLifetime(taken) {} }
        let run = try await CommandProcess(
            ["--main", "pattern:bars?size=64x32", "--output", "out.y4m", "--panel", "\(port)"], in: folder.url,
            seconds: 20)
        #expect(run.status == 69)
        #expect(run.errors.contains("the panel cannot listen on 127.0.0.1:\(port): the address is in use"))
        #expect(!FileManager.default.fileExists(atPath: folder.path("out.y4m")))
    }

    @Test(
        "a panel that may not be is refused with a sentence",
        arguments: [
            ("0.0.0.0:8090", 78, "so it needs a token"), ("8o8o", 78, "is not an address for the panel"),
            ("192.0.2.1:8090", 69, "this machine does not have the address"),
        ])
    func refused(_ address: String, _ status: Int32, _ reason: String) async throws {
        let token = address.hasPrefix("192") ? ["--panel-token", "open sesame"] : []
        let run = try await CommandProcess(
            ["--main", "pattern:bars?size=64x32", "--panel", address] + token, in: folder.url, seconds: 20)
        #expect(run.status == status && run.errors.contains(reason), "\(run.errors)")
    }

    #if Media
    @Test(
        "a folder of recordings that is missing, and an unknown option of it, end it with 78 and a sentence",
        arguments: [
            ("none", "the panel's recordings: none: cannot list the recordings: No such file or directory"),
            (".?delete=off", "the panel's recordings: delete=off is no option; write FOLDER?changes=off"),
        ])
    func recordings(_ folder: String, _ reason: String) async throws {
        let run = try await CommandProcess(
            ["--main", "pattern:bars?size=64x32", "--panel", "0", "--panel-recordings", folder], in: self.folder.url,
            seconds: 20)
        #expect(run.status == 78 && run.errors.contains(reason), "\(run.errors)")
    }
    #endif

    @Test("the panel needs no output beside it, and ends with the run")
    func alone() async throws {
        let run = try await CommandProcess(
            ["--main", "pattern:bars?size=64x32", "--panel", "0", "--frames", "10"], in: folder.url, seconds: 20)
        #expect(run.status == 0 && run.errors.contains("panel: http://127.0.0.1:"), "\(run.errors)")
    }

    #if Media
    @Test("where no H.264 encoder is installed, viewers are offered VP8")
    func withoutH264() async throws {
        let env = URL(filePath: "/usr/bin/env")
        let query = ["pkg-config", "--variable=pluginsdir", "gstreamer-1.0"]
        let plugins = try await CommandProcess(query, of: env, in: folder.url).text.split(separator: "\n")
        for name in ["app", "coreelements", "dtls", "nice", "rtp", "rtpmanager", "srtp", "vpx", "webrtc"] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("libgst\(name).so"),
                withDestinationPath: "\(try #require(plugins.first))/libgst\(name).so")
        }
        let folder = folder
        let run = try await CommandProcess(
            ["--main", "pattern:bars?size=64x32", "--panel", "0"], in: folder.url,
            environment: ["GST_PLUGIN_SYSTEM_PATH_1_0": folder.url.path, "GST_REGISTRY_1_0": folder.path("registry")]
        ) { command in
            defer { command.send(SIGTERM) }
            try await waitUntil { command.errors.contains("panel: http") }
            let address = try #require(command.errors.firstMatch(of: /panel: (http:\S+)/)?.1)
            let request = ["--request", "POST", "--header", "Content-Type: application/sdp", "\(address)whep"]
            let viewer = try await CommandProcess(
                ["curl", "--silent", "--show-error", "--noproxy", "*"] + request, of: env, in: folder.url)
            #expect(viewer.text.contains(" VP8/90000"), "\(viewer.text) \(viewer.errors)")
        }
        #expect(run.status == 0, "\(run.errors)")
    }
    #endif
}
#endif
