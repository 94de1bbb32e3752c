internal import CPlatform
internal import Glibc

extension ChildProcess {
    /// The error number of a program that was not started.
    struct SpawnError: Error {
        let number: Int32
    }

    /// Starts the program.
    ///
    /// - Parameter output: The descriptor that takes the program's output and errors; nil discards them.
    /// - Returns: The number of the process, which leads a process group.
    /// - Throws: ``SpawnError`` for a program that is not there or cannot be executed.
    func spawn(writingTo output: Int32?) throws(SpawnError) -> pid_t {
        guard let program = arguments.first else { throw SpawnError(number: ENOENT) }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
            if let output {
                unsafe posix_spawn_file_actions_adddup2(&actions, output, descriptor)
            } else {
                unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
            }
        }
        unsafe pip_spawn_close_from(&actions, STDERR_FILENO + 1)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // This process may block and ignore signals, and a new program would inherit that.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var words = unsafe Self.copies(of: arguments)
        var variables = unsafe Self.copies(of: environment)
        defer { unsafe (words + variables).forEach { unsafe free($0) } }
        var process = pid_t()
        let error = unsafe posix_spawnp(&process, program, &actions, &attributes, &words, &variables)
        guard error == 0 else { throw SpawnError(number: error) }
        return process
    }

    /// The program's environment: this process's, with the program's own variables.
    private var environment: [String] {
        var result: [String] = []
        var entry = unsafe environ
        while let text = unsafe entry.pointee {
            result.append(unsafe String(cString: text))
            unsafe entry = entry.advanced(by: 1)
        }
        result.removeAll { variable in variables[String(variable.prefix { $0 != "=" })] != nil }
        return result + variables.map { "\($0.key)=\($0.value)" }
    }

    /// Copies texts for C; the caller must free each copy.
    private static func copies(of texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        unsafe texts.map { unsafe strdup($0) } + [nil]
    }
}
