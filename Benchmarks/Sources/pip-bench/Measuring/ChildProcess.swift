import Glibc

/// The resources that a process used from its start to its end.
struct Usage: Sendable {
    /// CPU time of all its threads, user and system.
    var cpuSeconds: Double
    var wallSeconds: Double
    /// The most memory that it held at a time.
    var peakKibibytes: Int
}

/// Runs commands and measures them.
enum ChildProcess {
    /// Runs a command and waits for its end; what it prints is thrown away, but for errors.
    ///
    /// - Throws: ``CommandError`` when it cannot be started or does not end with status 0.
    @discardableResult
    static func measure(_ command: Command) throws(CommandError) -> Usage {
        try run(command, output: "/dev/null")
    }

    /// Runs a command with its standard output in a file.
    static func run(_ command: Command, output: String) throws(CommandError) -> Usage {
        let start = clock()
        let process = try unsafe spawn(command) {
            unsafe posix_spawn_file_actions_addopen(
                &$0, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        }
        return try wait(for: process, of: command, since: start)
    }

    /// Measures the time until a command has written `bytes` bytes to its standard output.
    ///
    /// - Throws: ``CommandError`` when it fails or writes fewer.
    static func secondsToOutput(_ command: Command, bytes: Int) throws(CommandError) -> Double {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else {
            throw CommandError(command: command, reason: "pipe: \(message(errno))")
        }
        let (output, input) = (ends[0], ends[1])
        defer { close(output) }
        let start = clock()
        let process = try unsafe spawn(command) { actions in
            unsafe posix_spawn_file_actions_adddup2(&actions, input, STDOUT_FILENO)
            unsafe posix_spawn_file_actions_addclose(&actions, output)
            unsafe posix_spawn_file_actions_addclose(&actions, input)
        }
        close(input)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var count = 0
        var seconds: Double?
        while true {
            let read = unsafe Glibc.read(output, &buffer, buffer.count)
            guard read > 0 else { break }
            count += read
            if seconds == nil, count >= bytes { seconds = clock() - start }
        }
        _ = try wait(for: process, of: command, since: start)
        guard let seconds else { throw CommandError(command: command, reason: "it wrote \(count) bytes only") }
        return seconds
    }

    private static func wait(for process: pid_t, of command: Command, since start: Double) throws(CommandError) -> Usage
    {
        var status: Int32 = 0
        var usage = rusage()
        var peak = 0
        while true {
            // The kernel's `ru_maxrss` begins with what the process had before it became another program: with this
            // one's memory.
            peak = PeakMemory.kibibytes(of: process) ?? peak
            let ended = unsafe wait4(process, &status, WNOHANG, &usage)
            if ended > 0 { break }
            guard ended == 0 || errno == EINTR else {
                throw CommandError(command: command, reason: "wait4: \(message(errno))")
            }
            usleep(2000)
        }
        let wall = clock() - start
        guard status == 0 else { throw CommandError(command: command, reason: ending(status)) }
        return Usage(
            cpuSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime), wallSeconds: wall,
            peakKibibytes: peak)
    }

    private static func spawn(
        _ command: Command, _ redirect: (inout posix_spawn_file_actions_t) -> Void
    ) throws(CommandError) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        unsafe redirect(&actions)
        let words = ["/usr/bin/env"] + command.environment.map { "\($0.key)=\($0.value)" } + command.words
        var process = pid_t()
        let error = unsafe withCStrings(words) {
            unsafe posix_spawn(&process, "/usr/bin/env", &actions, nil, $0, environ)
        }
        guard error == 0 else { throw CommandError(command: command, reason: "posix_spawn: \(message(error))") }
        return process
    }

    private static func ending(_ status: Int32) -> String {
        let signal = status & 0x7f
        return signal == 0 ? "it ended with status \(status >> 8 & 0xff)" : "it ended by signal \(signal)"
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

    private static func message(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }

    /// Seconds on the monotonic clock.
    static func clock() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Lends words as the null-terminated list that `posix_spawn` takes.
    private static func withCStrings<R>(
        _ words: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> R
    ) -> R {
        var list = unsafe words.map { unsafe strdup($0) }
        unsafe list.append(nil)
        defer { unsafe list.forEach { unsafe free($0) } }
        return unsafe list.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { preconditionFailure("the list ends with nil") }
            return unsafe body(start)
        }
    }
}
