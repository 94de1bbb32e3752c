/// The tests that changed files can reach.
public struct Reach: Equatable, Sendable {
    /// The test targets to build; nil for all.
    public let targets: Set<String>?
    /// The test targets that run without their tests in real time and in the camera lab.
    public let quick: Set<String>

    /// Finds the tests that some files can reach.
    ///
    /// A test target runs whole when it belongs to a changed module, or names one as its dependency. Where the module
    /// is reached only through others, its tests in real time and in the camera lab are left to a whole run, because
    /// nearly all modules depend on one such as the planner.
    ///
    /// - Parameters:
    ///   - files: The paths of changed files, relative to the package's folder.
    ///   - package: The package.
    public init(ofFiles files: [String], in package: PackageModel) {
        var changed: Set<String> = []
        var readers: Set<String> = []
        for file in files {
            if let target = package.target(ofFile: file) {
                changed.insert(target.name)
            } else if let modules = Self.modules.first(where: { file.hasPrefix($0.prefix) })?.names {
                changed.formUnion(modules)
            } else if let tests = Self.readers.first(where: { file.hasPrefix($0.prefix) })?.names {
                readers.formUnion(tests)
            } else {
                targets = nil
                quick = []
                return
            }
        }
        let tests = package.targets.filter(\.isTest)
        let reached = package.dependents(of: changed)
        let direct = Set(tests.filter { !changed.isDisjoint(with: $0.dependencies + [$0.name]) }.map(\.name))
        let all = Set(tests.map(\.name))
        targets = files.isEmpty ? [] : reached.intersection(all).union(readers.union(["ModuleBoundaryTests"]))
        quick = reached.intersection(all).subtracting(direct).subtracting(readers)
    }

    /// True when a test runs.
    public func takes(_ test: TestIdentifier) -> Bool {
        guard let targets else { return true }
        let testClass = TestClass(of: test, hasLab: true)
        return targets.contains(test.module) && !(quick.contains(test.module) && testClass != .pure)
    }

    /// Files outside of a module that belong to modules.
    private static let modules: [(prefix: String, names: [String])] = [
        ("Shaders/", ["PipEffects", "CPixels", "glsl-lanes"])
    ]

    /// Files that are no sources, with the test targets that read them.
    private static let readers: [(prefix: String, names: [String])] = [
        ("Tests/Lab/", ["LabTests"]),
        ("Tests/Python/", ["PipControlTests", "PipMediaTests", "CommandTests", "PackagingTests"]),
        ("Packaging/", ["PackagingTests", "CommandTests", "PipRigTests"]),
        ("docs/", documents), ("README.md", documents), ("CONTRIBUTING.md", documents), ("CHANGELOG.md", documents),
        ("Benchmarks/", ["PipBenchTests"]),
        ("LICENSE", ["PackagingTests"]), (".ci/", []), (".gitignore", []), (".swift-format", []),
    ]

    private static let documents = [
        "CommandTests", "PackagingTests", "PipComposeTests", "OutsideTests", "PipRigTests",
    ]
}
