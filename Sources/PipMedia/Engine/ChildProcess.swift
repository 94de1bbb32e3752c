#if Media
internal import CPlatform
internal import Glibc
internal import PipConcurrency
internal import PipFrames

/// Runs programs as child processes, for work that might crash the process that does it.
enum ChildProcess {
    /// The way in which a program has ended.
    enum End: Equatable {
        case exited(Int32)
        case killed(signal: Int32)
        case tookTooLong
        case notFound
    }

    /// Runs a program and discards its output.
    ///
    /// Blocks until the program ends. The program inherits no descriptors: an inherited socket would stay open as long
    /// as the program runs.
    ///
    /// - Parameters:
    ///   - arguments: The program's name or path, and its arguments. A name is searched for in `PATH`.
    ///   - limit: The time after which the program is killed.
    /// - Returns: The way in which the program has ended.
    static func run(_ arguments: [String], within limit: Duration) -> End {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        unsafe pip_spawn_close_from(&actions, STDERR_FILENO + 1)
        var words: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var process = pid_t()
        guard let program = arguments.first else { return .notFound }
        let spawned = unsafe posix_spawnp(&process, program, &actions, nil, &words, environ)
        guard spawned == 0 else { return .notFound }
        let clock = MonotonicClock()
        let deadline = clock.now.advanced(by: limit)
        var status: Int32 = 0
        while unsafe waitpid(process, &status, WNOHANG) == 0 {
            guard clock.now < deadline else {
                kill(process, SIGKILL)
                unsafe waitpid(process, &status, 0)
                return .tookTooLong
            }
            usleep(5000)
        }
        // These are the bits that `WIFEXITED` and `WTERMSIG` test, macros that Swift does not import.
        let signal = status & 0x7f
        if signal != 0 { return .killed(signal: signal) }
        let code = (status >> 8) & 0xff
        // A shell returns 127 for a program that is not installed; so does a spawn whose `execve` fails.
        return code == 127 ? .notFound : .exited(code)
    }
}
#endif
