internal import CPlatform
internal import Glibc
internal import PipFrames

/// A program that runs as a child process, with a time limit.
///
/// The program inherits no descriptors: an inherited socket would stay open as long as the program runs. It reads
/// nothing, has a process group of its own, and begins without blocked or ignored signals.
package struct ChildProcess: Sendable {
    /// The way in which a program has ended.
    package enum End: Sendable, Equatable {
        case exited(Int32)
        case killed(signal: Int32)
        case tookTooLong
        case interrupted
        /// The program was not started, for the reason of an error number.
        case notStarted(Int32)
    }

    /// The longest time between two looks at the process.
    private static let longestPause = Duration.milliseconds(50)
    /// The pause after reading, which slows a program that writes without end.
    ///
    /// Units: microseconds.
    private static let readingPause: UInt32 = 5000

    /// The program's name or path, and its arguments.
    ///
    /// A name is searched for in `PATH`.
    package let arguments: [String]
    /// Variables that the program gets beside this process's environment.
    package let variables: [String: String]
    /// The time between SIGTERM and SIGKILL for a program that must end; zero kills the program at once.
    package let grace: Duration

    package init(_ arguments: [String], variables: [String: String] = [:], grace: Duration = .zero) {
        (self.arguments, self.variables, self.grace) = (arguments, variables, grace)
    }

    /// Runs the program, and blocks until it ends.
    ///
    /// A program that must end is stopped together with its process group.
    ///
    /// - Parameters:
    ///   - limit: The time after which the program must end.
    ///   - interruption: Makes the program end early.
    ///   - onLine: Takes each line of the program's output and errors; nil discards them.
    /// - Returns: The way in which the program has ended.
    package func run(
        within limit: Duration, until interruption: Interruption = Interruption(), onLine: ((String) -> Void)? = nil
    ) -> End {
        let output = onLine == nil ? nil : OutputPipe()
        let process: pid_t
        do throws(SpawnError) { process = try spawn(writingTo: output?.writer) } catch {
            return .notStarted(error.number)
        }
        output?.closeWriter()
        var lines = LineSplitter()
        func read() {
            guard let onLine, let bytes = output?.read() else { return }
            lines.take(bytes).forEach(onLine)
        }
        let end = follow(process, until: MonotonicClock().now.advanced(by: limit), interruption, output, read)
        var status: Int32 = 0
        unsafe waitpid(process, &status, 0)
        read()
        if let last = lines.end() { onLine?(last) }
        // These are the bits that `WIFEXITED` and `WTERMSIG` test, macros that Swift does not import.
        let signal = status & 0x7f
        return end ?? (signal == 0 ? .exited((status >> 8) & 0xff) : .killed(signal: signal))
    }

    /// Waits until a process has ended, or stops the process.
    ///
    /// - Parameters:
    ///   - process: The process.
    ///   - deadline: The time at which the process must end.
    ///   - interruption: Makes the process end early.
    ///   - output: The pipe to which the process writes.
    ///   - read: Reads from the pipe.
    /// - Returns: The reason why the process was stopped; nil for a process that has ended by itself.
    private func follow(
        _ process: pid_t, until deadline: Timestamp, _ interruption: Interruption, _ output: OutputPipe?,
        _ read: () -> Void
    ) -> End? {
        let clock = MonotonicClock()
        var pause = Duration.milliseconds(1)
        while !hasEnded(process) {
            if interruption.isRaised || clock.now >= deadline {
                stop(process)
                return interruption.isRaised ? .interrupted : .tookTooLong
            }
            let descriptor = output?.openReader ?? -1
            let next = min(deadline, clock.now.advanced(by: pause))
            if interruption.wait(for: descriptor, events: POLLIN, until: next) == .ready {
                read()
                usleep(Self.readingPause)
            } else {
                pause = min(pause * 2, Self.longestPause)
            }
        }
        return nil
    }

    /// True when a process has ended, which then stays a zombie, so that no other process gets its number.
    private func hasEnded(_ process: pid_t) -> Bool {
        var information = unsafe siginfo_t()
        let result = unsafe waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT)
        return unsafe result != 0 || information.si_signo != 0
    }

    /// Ends a process and its group.
    private func stop(_ process: pid_t) {
        if grace > .zero {
            let clock = MonotonicClock()
            kill(-process, SIGTERM)
            let deadline = clock.now.advanced(by: grace)
            while !hasEnded(process), clock.now < deadline { usleep(5000) }
        }
        kill(-process, SIGKILL)
    }
}
