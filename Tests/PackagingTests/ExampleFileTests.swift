import Foundation
import PipRig
import PipTestSupport
import Testing

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

    @Test(
        "the Kubernetes manifest is YAML, its probes ask for the panel's health, and its secret is a file",
        .enabled(if: PythonPackages.areInstalled))
    func kubernetes() async throws {
        let documents = try await read(Place.text("examples/kubernetes.yaml"))
        #expect(documents.compactMap { $0["kind"]?.string } == ["Secret", "ConfigMap", "Deployment", "Service"])
        let container = try #require(documents[2]["spec"]?["template"]?["spec"]?["containers"]?[0])
        #expect(container["livenessProbe"]?["httpGet"]?["path"]?.string == "/healthz")
        #expect(container["readinessProbe"]?["httpGet"]?["path"]?.string == "/readyz")
        let configuration = try #require(documents[1]["data"]?["rig.yaml"]?.string)
        let rig = try await read(configuration)[0]
        #expect(rig["panel"]?["token"]?.string == "${file:/run/secrets/pip-compose/panel-token}")
        #expect(documents[0]["stringData"]?["panel-token"] != nil)
    }

    @Test(
        "the outputs for mediamtx use its ports, and a path and a user that may publish",
        .enabled(if: PythonPackages.areInstalled),
        arguments: [("webrtc", "whip+http"), ("rtsp", "rtsp"), ("srt", "srt"), ("rtmp", "rtmp")])
    func mediamtx(_ server: String, _ scheme: String) async throws {
        let text = try Place.text("examples/mediamtx.yml")
        let configuration = try await read(text)[0]
        let line = try #require(text.split(separator: "\n").first { $0.contains(" \(scheme)://") })
        let port = try #require(configuration["\(server)Address"]?.string)
        #expect(line.contains("localhost\(port)"), "\(line)")
        let publisher = try #require(configuration["authInternalUsers"]?[0])
        let (user, permission) = (try #require(publisher["user"]?.string), publisher["permissions"]?[0])
        #expect(permission?["action"]?.string == "publish" && line.contains("\(user)"), "\(line)")
        let path = try #require(permission?["path"]?.string)
        #expect(line.contains(path) && configuration["paths"]?[path] != nil, "\(line)")
        if scheme == "whip+http" {
            let rig = try await read(Place.text("examples/mediamtx-rig.yaml"))[0]
            let output = try #require(rig["outputs"]?[0])
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

    @Test("the example's scenes show its cameras", .enabled(if: PythonPackages.areInstalled))
    func example() async throws {
        let rig = try await read(Place.text("example.yaml"))[0]
        let cameras = Set(try #require(rig["cameras"]?.members).map(\.key))
        for scene in try #require(rig["scenes"]?.members).map(\.value) {
            let shown = [scene["main"]?.string] + (scene["insets"]?.elements ?? []).map { $0["of"]?.string }
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

    /// Reads the documents of a YAML text by PyYAML.
    private func read(_ text: String) async throws -> [JSON] {
        try folder.write(Array(text.utf8), to: "text.yaml")
        let program = "import json, yaml; print(json.dumps(list(yaml.safe_load_all(open('text.yaml'))), default=str))"
        let (said, status) = try await PythonPackages.run("python3", ["-c", program], in: folder.url)
        try #require(status == 0, "\(said)")
        return try #require(JSON(reading: Array(said.utf8))?.elements)
    }
}

extension JSON {
    fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }
    fileprivate var elements: [JSON]? { if case .array(let elements) = self { elements } else { nil } }
    fileprivate var members: [Member]? { if case .object(let members) = self { members } else { nil } }

    fileprivate subscript(index: Int) -> JSON? { elements.flatMap { index < $0.count ? $0[index] : nil } }
}
