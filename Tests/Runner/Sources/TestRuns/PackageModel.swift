internal import Foundation

/// The targets of a package in `Package.swift`, with their folders and dependencies.
public struct PackageModel: Equatable, Sendable {
    /// A target.
    public struct Target: Equatable, Sendable {
        public let name: String
        /// The target's folder, relative to the package's.
        public let folder: String
        public let isTest: Bool
        /// True for a module of a library of the system.
        public let isSystem: Bool
        /// The targets of the package that it names as its dependencies.
        public let dependencies: [String]

        /// True for a suite of tests, and for a target that suites share.
        public var isForTests: Bool { isTest || folder.hasPrefix("Tests/") || folder.hasPrefix("Benchmarks/") }

        /// Creates a target.
        public init(_ name: String, folder: String, isTest: Bool, isSystem: Bool = false, dependencies: [String]) {
            self.name = name
            self.folder = folder
            self.isTest = isTest
            self.isSystem = isSystem
            self.dependencies = dependencies
        }
    }

    public let targets: [Target]

    /// Creates a package of targets.
    public init(_ targets: [Target]) { self.targets = targets }

    /// Reads the output of `swift package dump-package`.
    ///
    /// - Returns: Nil for any other text.
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

    /// The target of a file; nil for a file of no target.
    public func target(ofFile path: String) -> Target? {
        targets.filter { path.hasPrefix($0.folder + "/") }.max { $0.folder.count < $1.folder.count }
    }

    /// The targets that depend on any of some targets, directly or through others, with these targets.
    public func dependents(of names: Set<String>) -> Set<String> {
        var reached = names
        while true {
            let more = targets.filter { !reached.contains($0.name) && !reached.isDisjoint(with: $0.dependencies) }
            if more.isEmpty { return reached }
            reached.formUnion(more.map(\.name))
        }
    }

    /// The targets on which a target depends, directly or through others.
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

        /// An object with one key, `byName`, `target` or `product`, and an array that begins with the name.
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
