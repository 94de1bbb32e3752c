import Foundation
import TestRuns

extension PackageModel {
    /// The manifest of this package.
    static func current() async throws -> PackageModel { try await dump.value }

    // All tests share one reading of the manifest, which takes SwiftPM a second or two.
    private static let dump = Task { try read() }

    private static func read() throws -> PackageModel {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        // SwiftPM gets a scratch folder of its own, because the build that runs the tests may hold a lock on the usual
        // folder.
        let scratch = FileManager.default.temporaryDirectory.appending(path: "pip-manifest-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: scratch) }
        process.arguments = [
            "swift", "package", "--package-path", SourceTree.root.path, "--scratch-path", scratch.path, "dump-package",
        ]
        // The manifest has other targets for fuzzing and sanitizing, and SwiftPM must not load a sanitizer's libraries.
        process.environment = ProcessInfo.processInfo.environment.filter {
            !["PIP_FUZZ", "PIP_SUITES", "LD_PRELOAD"].contains($0.key)
        }
        process.standardOutput = output
        try process.run()
        let json = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard let package = PackageModel(dump: String(decoding: json, as: UTF8.self)) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return package
    }
}
