import Foundation

/// The package's targets, as SwiftPM understands `Package.swift`.
struct PackageManifest: Decodable {
    struct Target: Decodable {
        let name: String
        let type: String
        /// Targets of the package that it names, and products of others.
        let dependencies: [String]

        /// Where it is not where SwiftPM looks for it.
        private let path: String?

        /// True when it is a suite of tests, or what suites share.
        var isForTests: Bool {
            type == "test" || ["Tests/", "Benchmarks/"].contains { path?.hasPrefix($0) == true }
        }

        private enum CodingKeys: String, CodingKey { case name, type, dependencies, path }

        /// A dependency has one key for its kind, and a list that begins with the name.
        private struct Dependency: Decodable {
            let name: String

            init(from decoder: any Decoder) throws {
                let kinds = try decoder.singleValueContainer().decode([String: [Part]].self)
                guard case .name(let name)? = kinds.values.first?.first else {
                    throw DecodingError.dataCorrupted(
                        .init(codingPath: decoder.codingPath, debugDescription: "a dependency without a name"))
                }
                self.name = name
            }
        }

        /// What stands in a dependency's list: names, and conditions that are of no interest.
        private enum Part: Decodable {
            case name(String), other

            init(from decoder: any Decoder) throws {
                self = (try? decoder.singleValueContainer().decode(String.self)).map { .name($0) } ?? .other
            }
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            name = try values.decode(String.self, forKey: .name)
            type = try values.decode(String.self, forKey: .type)
            path = try values.decodeIfPresent(String.self, forKey: .path)
            dependencies = try values.decode([Dependency].self, forKey: .dependencies).map(\.name)
        }
    }

    let targets: [Target]

    /// The libraries of the system that the package has modules for.
    var systemLibraries: Set<String> { Set(targets.filter { $0.type == "system" }.map(\.name)) }

    /// The package's targets that a target depends on, by way of others, too.
    func linked(by name: String) -> Set<String> {
        var found: Set<String> = []
        var open = [name]
        while let next = open.popLast() {
            for dependency in targets.first(where: { $0.name == next })?.dependencies ?? []
            where targets.contains(where: { $0.name == dependency }) && found.insert(dependency).inserted {
                open.append(dependency)
            }
        }
        return found
    }

    /// The manifest of this package.
    static func current() async throws -> PackageManifest { try await dump.value }

    // Once for all tests: it takes a second or two.
    private static let dump = Task { try read() }

    private static func read() throws -> PackageManifest {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        // In a folder of its own: the tests' own build may hold the usual one locked.
        let scratch = FileManager.default.temporaryDirectory.appending(path: "pip-manifest-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: scratch) }
        process.arguments = [
            "swift", "package", "--package-path", SourceTree.root.path, "--scratch-path", scratch.path, "dump-package",
        ]
        // The manifest has other targets for fuzzing and sanitizing, and a sanitizer's libraries are none of SwiftPM's.
        process.environment = ProcessInfo.processInfo.environment.filter {
            !["PIP_FUZZ", "PIP_SUITES", "LD_PRELOAD"].contains($0.key)
        }
        process.standardOutput = output
        try process.run()
        let json = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return try JSONDecoder().decode(PackageManifest.self, from: json)
    }
}
