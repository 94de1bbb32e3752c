/// The text that closes a run of the suite, for those who read only the end of a long log.
public struct Summary: Sendable {
    private var skips: [(reason: String, names: [String])] = []
    private var failures: [String] = []
    private var secondTries: [String] = []
    /// The numbers so far.
    public private(set) var tally = Tally()

    /// Creates an empty one.
    public init() {}

    /// Adds the results of a part of the suite.
    public mutating func add(_ run: RunResult, named name: String, realTime: RealTimeList) {
        tally += run.tally
        for result in run.final {
            switch result.outcome {
            case .passed: break
            case .skipped(let reason): addSkip(result.test.description, reason)
            case .failed(let messages):
                failures.append(([result.test.description] + messages.prefix(3)).joined(separator: "\n    "))
            }
        }
        if let problem = run.problem { failures.append("the tests (\(name)) \(problem)") }
        for again in run.secondTries {
            let how = again.isFailure ? "failed again" : "passed"
            let reason = realTime.entry(for: again.test)?.reason ?? ""
            secondTries.append("\(again.test): \(how) (\(reason))")
        }
    }

    /// Adds a check that is no test of the test program's.
    public mutating func add(check name: String, _ outcome: TestResult.Outcome, count: Int = 1) {
        switch outcome {
        case .passed: tally.passed += count
        case .failed(let messages):
            tally.failed += 1
            failures.append(([name] + messages).joined(separator: "\n    "))
        case .skipped(let reason):
            tally.skipped += 1
            addSkip(name, reason)
        }
    }

    private mutating func addSkip(_ name: String, _ reason: String) {
        if let index = skips.firstIndex(where: { $0.reason == reason }) {
            skips[index].names.append(name)
        } else {
            skips.append((reason, [name]))
        }
    }

    /// True when nothing failed.
    public var isSuccess: Bool { tally.failed == 0 }

    /// Sections for what is there to tell; the numbers stand alone in the last line.
    public var text: String {
        var lines: [String] = []
        if !skips.isEmpty {
            lines +=
                ["== skipped"]
                + skips.map { skip in
                    let names = skip.names.prefix(3).joined(separator: ", ")
                    return "\(skip.names.count): \(skip.reason) (\(names)\(skip.names.count > 3 ? ", …" : ""))"
                }
        }
        if !failures.isEmpty { lines += ["== what failed"] + failures }
        if !secondTries.isEmpty { lines += ["== tried a second time: \(secondTries.count)"] + secondTries }
        return (lines + [tally.description]).joined(separator: "\n")
    }
}
