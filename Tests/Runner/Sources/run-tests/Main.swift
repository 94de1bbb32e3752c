internal import Glibc
import TestRuns

/// Builds and runs the tests of this checkout.
///
/// `Tests/run` starts the program in the root of the checkout.
@main
enum Main {
    private static let usage = """
        Usage: Tests/run test [PATTERN]       tests whose identifier matches: LabTests.CameraLab/EnableTests, PipGraphTests
               Tests/run changed [COMMIT]     tests that can be reached by what was changed since a commit (default: HEAD)
               Tests/run faults [ROW...]      tests of the fault matrix; for all rows, docs/faults.md is written
               Tests/run sanitize [short | all] [address] [thread]

        Exit status: 0 nothing failed, 1 something did, 64 wrong usage
        """

    static func main() {
        Interrupts.hold()
        do {
            exit(try run(Array(CommandLine.arguments.dropFirst())) ? 0 : 1)
        } catch {
            complain("\(error)")
            exit((error as? Failure)?.status ?? 1)
        }
    }

    private static func run(_ arguments: [String]) throws -> Bool {
        let words = arguments.dropFirst()
        guard !words.contains(where: { $0.hasPrefix("-") }) else { throw Failure(usage, status: 64) }
        switch arguments.first ?? "test" {
        case "test" where words.count <= 1:
            var suite = Suite(words.first.map(Choice.matching) ?? .all)
            return try suite.run()
        case "changed" where words.count <= 1:
            var suite = Suite(.changed(since: words.first ?? "HEAD"))
            return try suite.run()
        case "faults" where words.allSatisfy { Int($0) != nil }:
            var faults = try Faults(rows: Set(words.compactMap { Int($0) }))
            return try faults.run()
        case "sanitize":
            guard let options = SanitizerOptions(words) else { throw Failure(usage, status: 64) }
            return try Sanitize(options).run()
        default: throw Failure(usage, status: 64)
        }
    }
}
