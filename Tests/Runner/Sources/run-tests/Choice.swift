import TestRuns

/// The tests that a user chooses for a run.
enum Choice {
    case all
    /// The tests whose identifiers match a regular expression, such as `PipGraphTests`.
    case matching(String)
    /// The tests whose results can depend on files that were changed since a commit.
    case changed(since: String)

    /// The test targets to build, and the tests to run.
    struct Resolved {
        /// The test targets to build; nil builds all test targets.
        var targets: Set<String>?
        var takes: (ListedTest) -> Bool
        /// A sentence about the tests that are left to a full run; nil if none are left.
        var leftOut: String?
    }

    /// Determines the targets to build and the tests to run.
    ///
    /// - Throws: ``Failure`` if the package or the git history cannot be read, or an expression is invalid.
    func resolved() throws -> Resolved {
        switch self {
        case .all: return Resolved(takes: { _ in true })
        case .matching(let pattern):
            guard let expression = try? Regex<AnyRegexOutput>(pattern) else {
                throw Failure("the pattern \"\(pattern)\" is not a regular expression", status: 64)
            }
            return Resolved(
                targets: try Self.targets(naming: pattern, in: package()),
                takes: { (try? expression.firstMatch(in: $0.identifier.description)) != nil })
        case .changed(let commit):
            let changed = try Self.lines(["git", "diff", "--name-only", commit])
            let new = try Self.lines(["git", "ls-files", "--others", "--exclude-standard"])
            let reach = Reach(ofFiles: changed + new, in: try package())
            let left = reach.quick.sorted().joined(separator: ", ")
            return Resolved(
                targets: reach.targets, takes: { reach.takes($0.identifier) },
                leftOut: left.isEmpty
                    ? nil
                    : """
                    not run: the tests in real time and in the camera lab of \(left), because these modules depend on \
                    the change only indirectly; make test runs all tests
                    """)
        }
    }

    /// The test targets whose names or sources contain one of a pattern's words with three or more characters.
    ///
    /// Nil, which means all targets, for a pattern without such words, or if no target contains one of the words.
    private static func targets(naming pattern: String, in package: PackageModel) throws -> Set<String>? {
        let words = pattern.split { !($0.isLetter || $0.isNumber || $0 == "_") }.filter { $0.count > 2 }
        if words.isEmpty { return nil }
        let named = package.targets.filter { target in
            let texts = Files.texts(in: target.folder, named: ".swift")
            return target.isTest
                && words.contains { word in
                    target.name.contains(word) || texts.contains { $0.contains(word) }
                }
        }
        return named.isEmpty ? nil : Set(named.map(\.name))
    }

    private func package() throws -> PackageModel {
        let (status, text) = Command(["swift", "package", "dump-package"]).output()
        guard status == 0, let package = PackageModel(dump: text) else {
            throw Failure("Package.swift: swift package dump-package printed no manifest (exit status \(status))")
        }
        return package
    }

    private static func lines(_ arguments: [String]) throws -> [String] {
        let (status, text) = Command(arguments).output()
        guard status == 0 else { throw Failure("\(arguments.joined(separator: " ")) ended with status \(status)") }
        return text.split(separator: "\n").map(String.init)
    }
}
