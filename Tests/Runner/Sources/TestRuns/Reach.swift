/// The tests whose results can depend on changed files.
public struct Reach: Equatable, Sendable {
    /// The test targets to build; nil builds all test targets.
    public let targets: Set<String>?
    /// The test targets of which only the tests without real time and without the camera lab run.
    public let quick: Set<String>

    /// Finds the tests whose results can depend on changed files.
    ///
    /// All tests of a target run if its own module has changed, or one of its direct dependencies. If only an indirect
    /// dependency has changed, the tests in real time and in the camera lab are left to a full run. A changed file of
    /// an unknown kind selects all tests.
    ///
    /// - Parameters:
    ///   - files: The paths of the changed files, relative to the package.
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

    /// True if the test is to run.
    public func takes(_ test: TestIdentifier) -> Bool {
        guard let targets else { return true }
        let testClass = TestClass(of: test, hasLab: true)
        return targets.contains(test.module) && !(quick.contains(test.module) && testClass != .pure)
    }

    /// Path prefixes of files outside of modules, with the modules that depend on the files.
    private static let modules: [(prefix: String, names: [String])] = [
        ("Shaders/", ["PipEffects", "CPixels", "glsl-lanes"])
    ]

    /// Path prefixes of other files outside of modules, with the test targets that depend on the files.
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
