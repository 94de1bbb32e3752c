#if Media
import Foundation
import PipTestSupport
import Testing

/// Helpers for the tests of the packaged examples for servers with many viewers.
struct ViewerServer {
    let folder: TemporaryFolder
    static let hasPython = PythonPackages.program("python3") != nil
    /// The value of the examples' `CAMERA_PASSWORD`.
    static let password = "a-good-one"

    static func example(_ name: String) throws -> String {
        let examples = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Packaging/examples")
        return try String(contentsOf: examples.standardizedFileURL.appending(path: name), encoding: .utf8)
    }

    static func isThere(_ programs: String...) -> Bool { programs.allSatisfy(FileManager.default.fileExists) }

    /// Composes to an output, with a tone as the sound, until `condition` returns.
    func compose(to output: String, until condition: @escaping @Sendable () async throws -> Void) async throws {
        let run = try await CommandProcess(
            [
                "--main", "pattern:scene?size=320x192", "--inset", "pattern:bars?size=64x48", "--audio", "tone:440",
                "--output", output,
            ], in: folder.url, environment: ["CAMERA_PASSWORD": Self.password], seconds: 120
        ) { running in
            defer { running.send(SIGINT) }
            try await condition()
        }
        #expect(run.status == 0, "\(run.errors)")
        #expect(!run.errors.contains(Self.password), "\(run.errors)")
    }

    /// Sends a request with curl, and returns the answer's body.
    ///
    /// Nil if the server does not answer, or answers with an error.
    func answer(_ arguments: [String]) async throws -> String? {
        let run = try await CommandProcess(
            ["curl", "--silent", "--fail", "--max-time", "30"] + arguments, of: URL(filePath: "/usr/bin/env"),
            in: folder.url)
        return run.status == 0 ? run.text : nil
    }
}
#endif
