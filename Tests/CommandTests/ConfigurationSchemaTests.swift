import Foundation
import PipTestSupport
import Testing

@testable import pip_compose

/// Tests the output of `pip-compose config schema` with the validator check-jsonschema.
@Suite(
    "The configuration's schema",
    .enabled(if: PythonPackages.areInstalled, "needs the Python packages that `make test-setup` installs"))
struct ConfigurationSchemaTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private let folder: TemporaryFolder

    init() async throws {
        folder = try TemporaryFolder()
        let run = try await CommandProcess(["config", "schema"], in: folder.url)
        try #require(run.status == 0)
        try run.output.write(to: folder.url.appending(path: "schema.json"))
    }

    private func check(_ text: String) async throws -> (said: String, status: Int32) {
        try Data(text.utf8).write(to: folder.url.appending(path: "rig.yaml"))
        return try await PythonPackages.run(
            "check-jsonschema", ["--schemafile", "schema.json", "rig.yaml"], in: folder.url)
    }

    @Test("is one of JSON Schema 2020-12")
    func isSchema() async throws {
        let (said, status) = try await PythonPackages.run(
            "check-jsonschema", ["--check-metaschema", "schema.json"], in: folder.url)
        #expect(status == 0, "\(said)")
        let text = try String(contentsOf: folder.url.appending(path: "schema.json"), encoding: .utf8)
        #expect(text.contains("https://json-schema.org/draft/2020-12/schema"))
    }

    @Test("takes the file that is shipped")
    func example() async throws {
        let text = try String(
            contentsOf: Self.root.appending(path: "Packaging/example.yaml"), encoding: .utf8)
        let (said, status) = try await check(text)
        #expect(status == 0, "\(said)")
    }

    @Test("takes what the program writes, of options and to begin with")
    func written() async throws {
        let printed = try await CommandProcess(
            [
                "config", "print", "--main", "pattern:scene", "--inset", "pattern:bars", "--effect",
                "main:vignette=0.4",
                "--effect", "output:sepia", "--output", "out.mp4?segment=3m&keep=20GB", "--audio", "tone:440",
                "--panel", "8080", "--mqtt", "mqtt://host?name=car",
            ], in: folder.url)
        try #require(printed.status == 0, "\(printed.errors)")
        var (said, status) = try await check(printed.text)
        #expect(status == 0, "\(said)\n\(printed.text)")
        (said, status) = try await check(
            "cameras: {road: {source: \"pattern:bars\"}}\nmqtt: {broker: \"mqtt://host\", name: car, thumbnail: 5s}")
        #expect(status == 0, "\(said)")
        let begun = try await CommandProcess(["config", "init"], in: folder.url)
        try #require(begun.status == 0, "\(begun.errors)")
        (said, status) = try await check(begun.text)
        #expect(status == 0, "\(said)\n\(begun.text)")
    }

    @Test(
        "refuses what the program refuses",
        arguments: [
            "cameras: {road: {source: \"pattern:bars\"}}\ncanvs: {size: 1280x720}",
            "cameras: {road: {source: \"pattern:bars\", mirror: 3}}",
            "cameras: {road: {source: \"pattern:bars\", colour: red}}",
            "cameras: {road: {source: \"pattern:bars\"}}\ncanvas: [1280, 720]",
            "cameras: [road]",
        ])
    func mistakes(_ text: String) async throws {
        let (said, status) = try await check(text)
        #expect(status == 1 && said.contains("rig.yaml"), "\(said)")
        let run = try await CommandProcess(["config", "check", "rig.yaml"], in: folder.url)
        #expect(run.status == 78, "\(run.errors)")
    }
}
