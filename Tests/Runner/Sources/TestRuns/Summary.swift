/// The text at the end of a run of the suite, for people who read only the end of a long log.
public struct Summary: Sendable {
    /// The results so far.
    public private(set) var results: [TestResult] = []
    private var problems: [String] = []

    /// Creates an empty summary.
    public init() {}

    /// Adds the result of a process.
    public mutating func add(_ verdict: JobProgress.Verdict, named name: String) {
        results += verdict.results
        if let problem = verdict.problem { problems.append("\(name): \(problem)") }
    }

    /// The numbers so far.
    ///
    /// A process that failed as a whole counts as one more failure.
    public var tally: Tally {
        var tally = Tally(results)
        tally.failed += problems.count
        return tally
    }

    /// True when nothing failed.
    public var isSuccess: Bool { tally.failed == 0 }

    /// The sections of the summary.
    ///
    /// The last line has the numbers only.
    public var text: String {
        var lines: [String] = []
        var skips: [(reason: String, names: [String])] = []
        var failures: [String] = []
        for result in results {
            let name = result.test.description
            switch result.outcome {
            case .passed: break
            case .skipped(let reason):
                if let index = skips.firstIndex(where: { $0.reason == reason }) {
                    skips[index].names.append(name)
                } else {
                    skips.append((reason, [name]))
                }
            case .failed(let messages): failures.append(([name] + messages.prefix(3)).joined(separator: "\n    "))
            }
        }
        if !skips.isEmpty {
            lines += ["== skipped"]
            lines += skips.map { skip in
                let names = skip.names.prefix(3).joined(separator: ", ")
                return "\(skip.names.count): \(skip.reason) (\(names)\(skip.names.count > 3 ? ", …" : ""))"
            }
        }
        if !(failures + problems).isEmpty { lines += ["== what failed"] + failures + problems }
        return (lines + [tally.description]).joined(separator: "\n")
    }

    /// The slowest tests, one to a line.
    ///
    /// - Parameter count: The largest number of lines.
    /// - Returns: The lines, the slowest test first.
    public func slowest(_ count: Int) -> String {
        results.sorted { $0.seconds > $1.seconds }.prefix(count).map { result in
            "\("\(result.seconds.rounded(toPlaces: 1)) s".paddedLeft(to: 9))  \(result.test)"
        }.joined(separator: "\n")
    }
}

/// The costs of a run's phases, and the share of the processors that they used.
public struct PhaseCosts: Sendable {
    private var phases: [(name: String, start: Double, end: Double, processorSeconds: Double)] = []

    /// Creates empty costs.
    public init() {}

    /// Adds a process to its phase.
    ///
    /// - Parameters:
    ///   - name: The phase.
    ///   - start: The moment of the process's start, in seconds of a monotonic clock.
    ///   - end: The moment of its end.
    ///   - processorSeconds: The processor time of the process and its children.
    public mutating func add(to name: String, start: Double, end: Double, processorSeconds: Double) {
        if let index = phases.firstIndex(where: { $0.name == name }) {
            phases[index].start = min(phases[index].start, start)
            phases[index].end = max(phases[index].end, end)
            phases[index].processorSeconds += processorSeconds
        } else {
            phases.append((name, start, end, processorSeconds))
        }
    }

    /// A line for each phase, and one for all.
    ///
    /// - Parameter processors: The number of processors of this machine.
    /// - Returns: The lines; none where no process ran.
    public func text(processors: Int) -> String {
        guard let start = phases.map(\.start).min(), let end = phases.map(\.end).max() else { return "" }
        let all = ("together", start, end, phases.reduce(0) { $0 + $1.processorSeconds })
        return (phases + [all]).map { name, start, end, cost in
            let wall = end - start
            let busy = (cost / max(0.001, wall)).rounded(toPlaces: 1)
            return "\(name.padded(to: 10)) \("\(Int(wall.rounded())) s".paddedLeft(to: 7))"
                + "\("\(Int(cost.rounded())) s".paddedLeft(to: 8)) of CPU, \(busy) of \(processors) processors busy"
        }.joined(separator: "\n")
    }
}

extension String {
    /// The text with blanks behind it.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// The text with blanks in front of it.
    func paddedLeft(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
