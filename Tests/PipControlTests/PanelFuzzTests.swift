import Foundation
import PipCompose
import PipPanelSupport
import PipTestSupport
import Testing

@testable import PipRig

/// Sends requests that schemathesis generates from the OpenAPI description.
///
/// `PIP_API_CASES=400` sends 400 requests for each operation, instead of a few.
@Suite(
    "The API against its description", .timeLimit(.minutes(30)), .serialized,
    .enabled(if: PythonPackages.areInstalled, "needs the Python packages that `make test-setup` installs"))
struct PanelFuzzTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let casesEach = environment["PIP_API_CASES"].flatMap { Int($0) }

    @Test("each response is one that the description allows, whatever a client sends")
    func fuzzed() async throws {
        try await RunningPanel.run { panel in
            let folder = try TemporaryFolder()
            let document = try await panel.send("GET", "/api/openapi.json").json
            try Self.naming(document).line.write(
                toFile: folder.path("openapi.json"), atomically: true, encoding: .utf8)
            var arguments = [
                "--config-file", PythonPackages.scripts.appending(path: "panel.toml").path, "--no-color",
                "run", "openapi.json", "--url", panel.address, "--seed", "16", "--continue-on-failure",
                "--generation-database", "none", "--max-response-time", "10",
            ]
            if let count = Self.casesEach {
                arguments += ["--phases", "coverage,fuzzing", "--max-examples", "\(count)"]
            } else {
                arguments += ["--phases", "fuzzing", "--max-examples", "8"]
            }
            let (said, status) = try await PythonPackages.run(
                "schemathesis", arguments, environment: ["PYTHONPATH": PythonPackages.scripts.path], in: folder.url)
            #expect(status == 0, "\(said)")
            #expect(said.contains(/\d{3} generated/), "\(said)")
            if Self.casesEach != nil { print(said) }
            let frames = panel.live.session.statistics.output.frames
            try await panel.wait(for: "the next frame") { _ in panel.live.session.statistics.output.frames > frames }
            let configuration = try await panel.send("GET", "/api/v1/config").text
            #expect(throws: Never.self, "what clients have made of it can be read again") {
                try RigFile(configuration, path: "config")
            }
        }
    }

    @Test("the description is valid OpenAPI 3.1")
    func description() async throws {
        try await RunningPanel.run { panel in
            let folder = try TemporaryFolder()
            let document = try await panel.send("GET", "/api/openapi.json")
            try Data(document.body).write(to: folder.url.appending(path: "openapi.json"))
            let (said, status) = try await PythonPackages.run(
                "openapi-spec-validator", ["--schema", "3.1", "openapi.json"], in: folder.url)
            #expect(status == 0, "\(said)")
        }
    }

    /// The OpenAPI description, with the composition's names as examples.
    ///
    /// The panel would refuse a request with an unknown name before reading the request's body.
    private static func naming(_ document: JSON) -> JSON {
        guard case .object(let members) = document, case .object(let paths)? = document["paths"] else {
            return document
        }
        let named = paths.map { path in JSON.Member(path.key, renamed(path.value, names(of: path.key))) }
        return .object(members.map { $0.key == "paths" ? .init("paths", JSON.object(named)) : $0 })
    }

    /// The names that exist in the composition, keyed by the variable of the path.
    private static func names(of path: String) -> [String: [String]] {
        switch path.split(separator: "/").dropFirst(2).first {
        case "chains": ["target": ["road", "driver", "output"], "id": (1...6).map { "e\($0)" }]
        case "scenes": ["name": ["drive", "talk", "mine"]]
        case "effects": ["name": ["sepia.jpg", "invert.jpg"]]
        case "outputs": ["id": ["o1", "o2", "o3"]]
        case "layers", "cameras": ["id": ["road", "driver"]]
        default: [:]
        }
    }

    private static func renamed(_ path: JSON, _ names: [String: [String]]) -> JSON {
        guard case .object(let operations) = path else { return path }
        return .object(
            operations.map { operation in
                guard case .object(let members) = operation.value,
                    case .array(let parameters)? = operation.value["parameters"]
                else { return operation }
                let renamed = parameters.map { parameter -> JSON in
                    guard case .object(let fields) = parameter, case .string(let name)? = parameter["name"],
                        let known = names[name]
                    else { return parameter }
                    return .object(
                        fields.map {
                            guard $0.key == "schema" else { return $0 }
                            let choices = JSON.object(["enum": known])
                            return .init("schema", JSON.object(["anyOf": [choices, $0.value]]))
                        })
                }
                return .init(
                    operation.key,
                    JSON.object(members.map { $0.key == "parameters" ? .init($0.key, renamed) : $0 }))
            })
    }
}
