internal import Glibc
import TestRuns

/// Runs the jobs of a schedule, several at the same time.
struct JobRunner {
    let program: TestProgram
    /// The folder for the logs of the jobs.
    let folder: String
    /// The command that starts the test program, by the class of its tests; an empty command starts the program
    /// directly.
    var launcher: (TestClass) -> [String] = { _ in [] }
    var environment: [String: String] = [:]
    /// The time limit for a test, in seconds.
    ///
    /// A process whose test exceeds the limit is ended.
    var testLimit = Double(Environment["PIP_TEST_LIMIT"] ?? "") ?? 300
    /// The largest number of processes at the same time; the classes of the tests may allow fewer.
    var width = Int.max
    /// True to print the end of each job and its failures.
    var isTold = true

    private(set) var summary = Summary()
    var costs = PhaseCosts()
    private var processes = Processes()
    private var running: [Int: Running] = [:]

    init(_ program: TestProgram, folder: String) {
        self.program = program
        self.folder = folder
    }

    private struct Running {
        let job: Job
        let start: Double
        let log: String
        var progress: JobProgress
        /// The reason for ending the process, the time at which it is killed, and the identifiers of the process and
        /// its descendants.
        ///
        /// Nil while the process is not being ended.
        var ending: (cause: String, deadline: Double, tree: [Int32])?
    }

    /// Runs all jobs of a schedule to their end.
    ///
    /// A signal kills the jobs and ends the program.
    mutating func run(_ schedule: Schedule) {
        var schedule = schedule
        while true {
            while running.count < width, let job = schedule.next(beside: running.values.map(\.job)) { start(job) }
            if running.isEmpty { break }
            for event in processes.wait() {
                switch event {
                case .line(let number, let line, let isError): take(line, of: number, isError: isError)
                case .ended(let number, let status, let seconds):
                    if let rest = end(number, status, seconds) { schedule.resume(rest) }
                }
            }
            endWhatHangs()
            if let signal = Interrupts.next() {
                processes.killAll()
                complain(summary.text)
                exit(128 + signal)
            }
        }
    }

    private mutating func start(_ job: Job) {
        let log = "\(folder)/\(job.name).log"
        // Tests that do not depend on real time have the lowest priority. A guest in real time has a single processor,
        // and has priority over the programs beside it if the priority can be raised.
        let priority =
            switch job.testClass {
            case .programs: [String]()
            case .slowLab: geteuid() == 0 ? ["nice", "-n", "-10"] : []
            case .lab, .pure: ["nice", "-n", "19"]
            }
        var command = Command(
            priority + launcher(job.testClass) + [program.path] + TestProgram.eventArguments + ["--no-parallel"]
                + job.selection.arguments)
        command.log = log
        command.isLogged = { !TestEvent.isRecord($0) }
        command.environment = [
            "NO_COLOR": "1",
            // A crash and SIGQUIT print the stacks of all threads.
            "SWIFT_BACKTRACE":
                "enable=yes,color=no,interactive=no,threads=all,unwind=fast,symbolicate=fast,images=none",
            // Otherwise the testing library would record a backtrace for every thrown error, even a caught one.
            "SWT_SWIFT_ERROR_BACKTRACING_ENABLED": "0",
        ].merging(environment) { $1 }
        let number = processes.start(command)
        running[number] = Running(job: job, start: Clock.now, log: log, progress: JobProgress(expecting: job.tests))
    }

    private mutating func take(_ line: Substring, of number: Int, isError: Bool) {
        if !isError, let event = TestEvent(line: line) { running[number]?.progress.take(event, at: Clock.now) }
    }

    /// Records the results of a job that has ended.
    ///
    /// - Returns: A job for the verdict's remaining tests; nil if there are none.
    private mutating func end(_ number: Int, _ status: Int32, _ processorSeconds: Double) -> Job? {
        guard let run = running.removeValue(forKey: number) else { return nil }
        if let ending = run.ending { Processes.kill(ending.tree) }
        let cause = run.ending?.cause ?? Self.cause(of: status, run.job)
        let verdict = run.progress.verdict(status: status, cause: cause)
        summary.add(verdict, named: run.job.name)
        costs.add(
            to: run.job.testClass.rawValue, start: run.start, end: Clock.now, processorSeconds: processorSeconds)
        let crashed = verdict.problem != nil || !verdict.remaining.isEmpty || run.ending != nil
        if crashed {
            complain(Files.tail(run.log, 60))
            complain("\(run.job.name): the process ended with status \(status); what it printed is in \(run.log)")
        }
        if isTold {
            for result in verdict.results where result.isFailure {
                print("FAILED \(result.test)")
                if case .failed(let messages) = result.outcome { print(messages.joined(separator: "\n")) }
            }
            let times = [Clock.now - run.start, processorSeconds].map { Int($0.rounded()) }
            print("\(Tally(verdict.results)): \(run.job.name), \(times[0]) s, \(times[1]) s of CPU")
        }
        fflush(nil)
        return verdict.remaining.isEmpty ? nil : run.job.rest(of: verdict.remaining)
    }

    /// An explanation of the exit status of a process; nil for a status without a special meaning.
    private static func cause(of status: Int32, _ job: Job) -> String? {
        switch status {
        case 125 where job.testClass.isInLab:
            "the camera lab's guest did not run (Tests/Lab/lab --kernel-log -- true shows how it boots)"
        case 127: "the test program cannot be started"
        case 137: "the process was killed (SIGKILL), perhaps because memory ran out"
        default: nil
        }
    }

    /// Ends the processes in which a test exceeds the time limit.
    ///
    /// A process first prints the stacks of its threads, and is killed if it does not end within 60 seconds.
    private mutating func endWhatHangs() {
        let now = Clock.now
        for (number, run) in running {
            if let ending = run.ending {
                if now > ending.deadline { processes.kill(number) }
            } else if let test = run.progress.overdue(after: testLimit, at: now) {
                complain("\(test) hangs: it has been running for \(Int(testLimit)) s; its process is ended")
                running[number]?.ending = (
                    cause: "the test hung for \(Int(testLimit)) s, and its process was ended", deadline: now + 60,
                    tree: processes.tree(of: number)
                )
                processes.signal(number, SIGQUIT)
            }
        }
    }
}
