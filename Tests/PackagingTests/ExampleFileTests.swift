import Foundation
import PipTestSupport
import Testing
import Yams

@Suite("Files beside the program")
struct ExampleFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("the AppStream data are valid", .needs("appstreamcli"))
    func metainfo() async throws {
        let text = try Place.text("metainfo.xml").replacing("@VERSION@", with: "1.2.3").replacing(
            "@DATE@", with: "2026-01-31")
        try folder.write(Array(text.utf8), to: "pip-compose.metainfo.xml")
        let validation = try await Tool(
            ["appstreamcli", "validate", "--no-net", "--no-color", folder.path("pip-compose.metainfo.xml")])
        #expect(validation.status == 0, "\(validation.said)")
    }

    @Test("nginx accepts the example configuration", .needs("nginx"))
    func nginx() async throws {
        let site = try Place.text("examples/nginx.conf").split(separator: "\n")
            .filter { !$0.contains("ssl_certificate") }.joined(separator: "\n").replacing("443 ssl", with: "8443")
        let text = "pid \(folder.path("pid"));\nerror_log stderr;\nevents {}\nhttp { access_log off;\n\(site)\n}\n"
        try folder.write(Array(text.utf8), to: "nginx.conf")
        let test = try await Tool(["nginx", "-t", "-q", "-p", folder.url.path, "-c", folder.path("nginx.conf")])
        #expect(test.status == 0, "\(test.said)")
    }

    @Test("the Kubernetes manifest is YAML, its probes ask for the panel's health, and its secret is a file")
    func kubernetes() throws {
        let documents = try Array(Yams.compose_all(yaml: try Place.text("examples/kubernetes.yaml")))
        #expect(documents.compactMap { $0["kind"]?.string } == ["Secret", "ConfigMap", "Deployment", "Service"])
        let container = try #require(documents[2]["spec"]?["template"]?["spec"]?["containers"]?[0])
        #expect(container["livenessProbe"]?["httpGet"]?["path"]?.string == "/healthz")
        #expect(container["readinessProbe"]?["httpGet"]?["path"]?.string == "/readyz")
        let configuration = try #require(documents[1]["data"]?["rig.yaml"]?.string)
        let rig = try #require(try Yams.compose(yaml: configuration))
        #expect(rig["panel"]?["token"]?.string == "${file:/run/secrets/pip-compose/panel-token}")
        #expect(documents[0]["stringData"]?["panel-token"] != nil)
    }

    @Test(
        "the outputs for mediamtx use its ports, and a path and a user that may publish",
        arguments: [("webrtc", "whip+http"), ("rtsp", "rtsp"), ("srt", "srt"), ("rtmp", "rtmp")])
    func mediamtx(_ server: String, _ scheme: String) throws {
        let text = try Place.text("examples/mediamtx.yml")
        let configuration = try #require(try Yams.compose(yaml: text))
        let line = try #require(text.split(separator: "\n").first { $0.contains(" \(scheme)://") })
        let port = try #require(configuration["\(server)Address"]?.string)
        #expect(line.contains("localhost\(port)"), "\(line)")
        let publisher = try #require(configuration["authInternalUsers"]?[0])
        let (user, permission) = (try #require(publisher["user"]?.string), publisher["permissions"]?[0])
        #expect(permission?["action"]?.string == "publish" && line.contains("\(user)"), "\(line)")
        let path = try #require(permission?["path"]?.string)
        #expect(line.contains(path) && configuration["paths"]?[path] != nil, "\(line)")
        if scheme == "whip+http" {
            let output = try #require(try Yams.compose(yaml: Place.text("examples/mediamtx-rig.yaml"))?["outputs"]?[0])
            #expect(line.hasSuffix(" \(try #require(output["to"]?.string))"))
        }
    }

    @Test("the example configuration for mediamtx is valid")
    func mediamtxRig() async throws {
        let check = try await Tool(
            [
                Place.program.path, "config", "check",
                Place.packaging.appending(path: "examples/mediamtx-rig.yaml").path,
            ],
            environment: ["CAMERA_PASSWORD": "a-good-one"])
        #expect(check.status == 0, "\(check.said)")
    }

    @Test("the example's scenes show its cameras")
    func example() throws {
        let rig = try #require(try Yams.compose(yaml: try Place.text("example.yaml")))
        let cameras = Set(try #require(rig["cameras"]?.mapping).keys.compactMap(\.string))
        for scene in try #require(rig["scenes"]?.mapping).values {
            let shown = [scene["main"]?.string] + (scene["insets"]?.sequence ?? []).map { $0["of"]?.string }
            #expect(cameras.isSuperset(of: shown.compactMap(\.self)) && shown.count == 2)
        }
    }

    @Test(
        "each shell accepts its completion script", .needs("bash", "zsh", "fish"), arguments: ["bash", "zsh", "fish"])
    func completions(_ shell: String) async throws {
        let script = try await Tool([Place.program.path, "--generate-completion-script", shell])
        try folder.write(Array(script.said.utf8), to: "completion")
        let check = try await Tool([shell, "-n", folder.path("completion")])
        #expect(check.status == 0 && check.said.isEmpty, "\(check.said)")
    }
}
