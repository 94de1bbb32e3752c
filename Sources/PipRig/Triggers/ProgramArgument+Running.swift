internal import PipCompose

extension ProgramArgument {
    /// The largest number of lines that a run of the program adds to the log.
    private static let mostLines = 100
    /// The time between SIGTERM and SIGKILL.
    private static let grace = Duration.seconds(1)

    /// Makes the worker that runs the program for each firing; a firing is left out while the program runs.
    func worker(
        for trigger: String, tell: @escaping @Sendable (TriggerWatch.Report) -> Void
    ) -> TriggerWorker {
        TriggerWorker("pip-program", most: 0) { lost in
            tell(.failed("\(trigger): \(label): firings that were left out, because it still ran: \(lost)"))
        } _: { firing, ending in
            tell(run(for: firing, until: ending, tell))
        }
    }

    /// Runs the program for a firing, and blocks until it ends.
    ///
    /// - Returns: The outcome.
    private func run(
        for firing: TriggerFiring, until ending: Interruption, _ tell: @escaping (TriggerWatch.Report) -> Void
    ) -> TriggerWatch.Report {
        let subject = "\(firing.subject): \(label)"
        var count = 0
        let program = ChildProcess(words, variables: firing.variables, grace: Self.grace)
        let end = program.run(within: limit, until: ending) { line in
            guard !line.isEmpty else { return }
            count += 1
            if count <= Self.mostLines { tell(.printed("\(firing.name): \(label): \(line)")) }
        }
        if count > Self.mostLines {
            tell(.printed("\(firing.name): \(label): lines that were left out: \(count - Self.mostLines)"))
        }
        switch end {
        case .exited(0): return .done("\(subject): has ended")
        case .exited(let status): return .failed("\(subject): has ended with status \(status)")
        case .killed(let signal): return .failed("\(subject): was ended by signal \(signal)")
        case .tookTooLong: return .failed("\(subject): was stopped after \(limit), its limit")
        case .interrupted: return .failed("\(subject): was stopped, because the composition has ended")
        case .notStarted(let error): return .failed("\(subject): cannot be started: \(systemMessage(error))")
        }
    }
}

extension TriggerFiring {
    /// The variables of a program's environment that tell the firing.
    fileprivate var variables: [String: String] {
        ["PIP_TRIGGER": name, "PIP_REASON": reason, "PIP_TIME": timeText, "PIP_NUMBER": "\(number)"]
    }
}
