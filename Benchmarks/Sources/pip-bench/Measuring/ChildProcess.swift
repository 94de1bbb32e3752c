import Glibc

/// The resources that a process has used from its start to its end.
struct Usage: Sendable {
    /// The CPU time of all threads, user and system, in seconds.
    var cpuSeconds: Double
    var wallSeconds: Double
    var memory: OwnMemory
    /// The bytes read and written by system calls; nil where the kernel does not count them.
    var transfer: TransferCounts?
}

/// Runs commands and measures their use of resources.
enum ChildProcess {
    /// Runs a command until it ends, and discards its standard output.
    ///
    /// - Throws: ``CommandError`` for a command that does not start or that fails.
    @discardableResult
    static func measure(_ command: Command) throws(CommandError) -> Usage {
        try run(command, output: "/dev/null")
    }

    /// Runs a command until it ends, with its standard output redirected to a file.
    static func run(_ command: Command, output: String) throws(CommandError) -> Usage {
        let start = clock()
        let process = try unsafe spawn(command) {
            unsafe posix_spawn_file_actions_addopen(
                &$0, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        }
        return try wait(for: RunningProcess(process, of: command, since: start))
    }

    /// Runs commands at the same time, and waits until all have ended.
    ///
    /// - Returns: The usage of each command, in the order of the commands.
    /// - Throws: The ``CommandError`` of the first failure, once all commands have ended.
    static func measure(atOnce commands: [Command]) throws(CommandError) -> [Usage] {
        var failure: CommandError?
        var running: [RunningProcess] = []
        for command in commands {
            do throws(CommandError) { running.append(try start(command)) } catch { failure = failure ?? error }
        }
        var usages = [Usage?](repeating: nil, count: running.count)
        var left = Array(running.indices)
        while !left.isEmpty {
            left.removeAll { index in
                do throws(CommandError) {
                    usages[index] = try running[index].usageIfEnded()
                    return usages[index] != nil
                } catch {
                    failure = failure ?? error
                    return true
                }
            }
            usleep(2000)
        }
        if let failure { throw failure }
        return usages.compactMap(\.self)
    }

    /// Starts a command whose standard output is discarded.
    private static func start(_ command: Command) throws(CommandError) -> RunningProcess {
        let start = clock()
        let process = try unsafe spawn(command) {
            unsafe posix_spawn_file_actions_addopen(&$0, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        }
        return RunningProcess(process, of: command, since: start)
    }

    /// Measures the time until a command has written `bytes` bytes to its standard output.
    ///
    /// - Throws: ``CommandError`` for a command that fails or writes fewer bytes.
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
        _ = try wait(for: RunningProcess(process, of: command, since: start))
        guard let seconds else { throw CommandError(command: command, reason: "it wrote \(count) of \(bytes) bytes") }
        return seconds
    }

    private static func wait(for running: RunningProcess) throws(CommandError) -> Usage {
        var running = running
        while true {
            if let usage = try running.usageIfEnded() { return usage }
            usleep(2000)
        }
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

    static func message(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }

    /// The time of the monotonic clock, in seconds.
    static func clock() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Calls `body` with words as the null-terminated list that `posix_spawn` takes.
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
