import Glibc

/// A running child process, observed until it ends.
struct RunningProcess {
    private let process: pid_t
    private let command: Command
    private let start: Double
    /// The memory of the process at each reading, in KiB.
    private var readings: [Int] = []

    /// - Parameters:
    ///   - process: A child of this process. No other code may wait for it.
    ///   - command: The command that the process runs.
    ///   - start: The time at which the process started, by ``ChildProcess/clock()``.
    init(_ process: pid_t, of command: Command, since start: Double) {
        (self.process, self.command, self.start) = (process, command, start)
    }

    /// The usage of the process once it has ended; nil while it runs.
    ///
    /// The caller must call this method every few milliseconds, and not again after it has returned a usage.
    ///
    /// - Throws: ``CommandError`` when the process has failed or cannot be observed.
    mutating func usageIfEnded() throws(CommandError) -> Usage? {
        if let memory = OwnMemory.kibibytes(of: process) { readings.append(memory) }
        var information = unsafe siginfo_t()
        let waited = unsafe waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT)
        guard waited == 0 || errno == EINTR else { throw failed("waitid") }
        guard waited == 0, unsafe information.si_signo != 0 else { return nil }
        let wall = ChildProcess.clock() - start
        // The kernel drops the counts when the process is reaped.
        let transfer = TransferCounts(of: process)
        var status: Int32 = 0
        var usage = rusage()
        while unsafe wait4(process, &status, 0, &usage) < 0 {
            guard errno == EINTR else { throw failed("wait4") }
        }
        guard status == 0 else { throw CommandError(command: command, reason: Self.ending(status)) }
        return Usage(
            cpuSeconds: Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime), wallSeconds: wall,
            memory: OwnMemory(readings), transfer: transfer)
    }

    private func failed(_ call: String) -> CommandError {
        CommandError(command: command, reason: "\(call): \(ChildProcess.message(errno))")
    }

    private static func ending(_ status: Int32) -> String {
        let signal = status & 0x7f
        return signal == 0 ? "it ended with status \(status >> 8 & 0xff)" : "it ended by signal \(signal)"
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
