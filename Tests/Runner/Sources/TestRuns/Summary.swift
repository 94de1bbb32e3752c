/// The results of a run, with a text for readers who look only at the end of a long log.
public struct Summary: Sendable {
    /// The results of all tests so far.
    public private(set) var results: [TestResult] = []
    private var problems: [String] = []

    public init() {}

    /// Adds the results of a process.
    public mutating func add(_ verdict: JobProgress.Verdict, named name: String) {
        results += verdict.results
        if let problem = verdict.problem { problems.append("\(name): \(problem)") }
    }

    /// The numbers of tests by outcome.
    ///
    /// A process that failed as a whole counts as one more failure.
    public var tally: Tally {
        var tally = Tally(results)
        tally.failed += problems.count
        return tally
    }

    /// True if no test and no process has failed.
    public var isSuccess: Bool { tally.failed == 0 }

    /// The skipped tests by reason, the failed tests and processes, and the numbers of tests by outcome.
    ///
    /// The last line has only the numbers.
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

    /// The slowest tests, one on each line.
    ///
    /// - Parameter count: The largest number of lines.
    /// - Returns: The lines, the slowest test first.
    public func slowest(_ count: Int) -> String {
        results.sorted { $0.seconds > $1.seconds }.prefix(count).map { result in
            "\("\(result.seconds.rounded(toPlaces: 1)) s".paddedLeft(to: 9))  \(result.test)"
        }.joined(separator: "\n")
    }
}

/// The durations of a run's phases, and the processor time that they took.
public struct PhaseCosts: Sendable {
    private var phases: [(name: String, start: Double, end: Double, processorSeconds: Double)] = []

    public init() {}

    /// Adds a process to a phase.
    ///
    /// - Parameters:
    ///   - name: The name of the phase.
    ///   - start: The start of the process, in seconds of a monotonic clock.
    ///   - end: The end of the process, on the same clock.
    ///   - processorSeconds: The processor time of the process and its children, in seconds.
    public mutating func add(to name: String, start: Double, end: Double, processorSeconds: Double) {
        if let index = phases.firstIndex(where: { $0.name == name }) {
            phases[index].start = min(phases[index].start, start)
            phases[index].end = max(phases[index].end, end)
            phases[index].processorSeconds += processorSeconds
        } else {
            phases.append((name, start, end, processorSeconds))
        }
    }

    /// One line for each phase, and one for the whole run.
    ///
    /// - Parameter processors: The number of processors of this machine.
    /// - Returns: The lines; empty if no process ran.
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
    /// The text with blanks appended, up to a width.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// The text with blanks prepended, up to a width.
    func paddedLeft(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
