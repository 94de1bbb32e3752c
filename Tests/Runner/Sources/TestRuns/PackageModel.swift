internal import Foundation

/// The targets in a `Package.swift`, with their folders and dependencies.
public struct PackageModel: Equatable, Sendable {
    /// A target of the package.
    public struct Target: Equatable, Sendable {
        public let name: String
        /// The path of the target's folder, relative to the package.
        public let folder: String
        public let isTest: Bool
        /// True for a module that wraps a library of the system.
        public let isSystem: Bool
        /// The names of the package's targets on which the target depends directly.
        public let dependencies: [String]

        /// True for a target that contains tests, or that only tests and benchmarks use.
        public var isForTests: Bool { isTest || folder.hasPrefix("Tests/") || folder.hasPrefix("Benchmarks/") }

        public init(_ name: String, folder: String, isTest: Bool, isSystem: Bool = false, dependencies: [String]) {
            self.name = name
            self.folder = folder
            self.isTest = isTest
            self.isSystem = isSystem
            self.dependencies = dependencies
        }
    }

    public let targets: [Target]

    public init(_ targets: [Target]) { self.targets = targets }

    /// Parses the output of `swift package dump-package`; nil for any other text.
    public init?(dump: String) {
        guard let manifest = try? JSONDecoder().decode(Manifest.self, from: Data(dump.utf8)) else { return nil }
        let names = Set(manifest.targets.map(\.name))
        targets = manifest.targets.map { target in
            let isTest = target.type == "test"
            return Target(
                target.name, folder: target.path ?? "\(isTest ? "Tests" : "Sources")/\(target.name)", isTest: isTest,
                isSystem: target.type == "system",
                dependencies: target.dependencies.compactMap(\.name).filter(names.contains))
        }
    }

    /// The target to which a file belongs; nil for a file outside of all targets.
    public func target(ofFile path: String) -> Target? {
        targets.filter { path.hasPrefix($0.folder + "/") }.max { $0.folder.count < $1.folder.count }
    }

    /// The given targets, and all targets that depend on any of them, directly or indirectly.
    public func dependents(of names: Set<String>) -> Set<String> {
        var reached = names
        while true {
            let more = targets.filter { !reached.contains($0.name) && !reached.isDisjoint(with: $0.dependencies) }
            if more.isEmpty { return reached }
            reached.formUnion(more.map(\.name))
        }
    }

    /// The targets on which a target depends, directly or indirectly.
    public func linked(by name: String) -> Set<String> {
        var found: Set<String> = []
        var open = [name]
        while let next = open.popLast() {
            let dependencies = targets.first { $0.name == next }?.dependencies ?? []
            open += dependencies.filter { found.insert($0).inserted }
        }
        return found
    }

    private struct Manifest: Decodable {
        struct Target: Decodable {
            var name: String
            var path: String?
            var type: String
            var dependencies: [Dependency]
        }

        /// A dependency in the JSON: an object with the key `byName`, `target` or `product`, whose array begins with a
        /// name.
        struct Dependency: Decodable {
            var name: String?

            init(from decoder: any Decoder) throws {
                let parts = try decoder.container(keyedBy: Key.self)
                guard let key = parts.allKeys.first(where: { ["byName", "target"].contains($0.stringValue) }) else {
                    return
                }
                var list = try parts.nestedUnkeyedContainer(forKey: key)
                name = try list.decode(String.self)
            }
        }

        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        var targets: [Target]
    }
}
