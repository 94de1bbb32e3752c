import Glibc

/// A program that runs beside a test, with pipes to its input and from its output.
///
/// Foundation's `Process` reports a program's end to the thread that started it, which an asynchronous test may have
/// left.
final class Background: Sendable {
    private let process: pid_t
    private let input: CInt
    private let output: CInt

    /// - Parameters:
    ///   - words: The program, which is searched for in `PATH`, and its arguments.
    ///   - includesErrors: True to read the program's standard error, too.
    /// - Throws: ``ProgramFailure`` when the program cannot be started.
    init(_ words: [String], includesErrors: Bool = false) throws {
        let (toInput, fromOutput) = (try Self.makePipe(), try Self.makePipe())
        input = toInput.write
        output = fromOutput.read
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawn_file_actions_adddup2(&actions, toInput.read, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, fromOutput.write, 1)
        if includesErrors { unsafe posix_spawn_file_actions_adddup2(&actions, fromOutput.write, 2) }
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { while let argument = unsafe arguments.popLast() { unsafe free(argument) } }
        var process = pid_t()
        let error = unsafe posix_spawnp(&process, words[0], &actions, nil, &arguments, environ)
        Glibc.close(toInput.read)
        Glibc.close(fromOutput.write)
        self.process = process
        guard error == 0 else { throw ProgramFailure(command: words[0], said: "errno \(error)") }
    }

    deinit {
        Glibc.close(input)
        Glibc.close(output)
    }

    /// Waits for the program's next output.
    func read() -> String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe Glibc.read(output, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Waits until the program has printed a text.
    ///
    /// - Throws: ``ProgramFailure`` when the program ends before.
    func wait(for text: String) throws {
        var said = ""
        while !said.contains(text) {
            let more = read()
            if more.isEmpty { throw ProgramFailure(command: "wait for \(text)", said: said) }
            said += more
        }
    }

    func write(_ text: String) throws {
        var bytes = Array(text.utf8)
        guard unsafe Glibc.write(input, &bytes, bytes.count) == bytes.count else {
            throw ProgramFailure(command: "write to a program", said: "errno \(errno)")
        }
    }

    /// Waits for the program's end.
    ///
    /// - Returns: The program's whole output, and its exit status; 128 and more for a signal.
    func finish() -> (output: String, status: CInt) {
        var output: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = unsafe Glibc.read(self.output, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            output += bytes.prefix(count)
        }
        var status: CInt = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        return (String(decoding: output, as: UTF8.self), signal == 0 ? status >> 8 & 0xff : 128 + signal)
    }

    func send(_ signal: CInt) { kill(process, signal) }

    /// Ends the program.
    func stop() {
        send(SIGKILL)
        var status: CInt = 0
        _ = unsafe waitpid(process, &status, 0)
    }

    private static func makePipe() throws -> (read: CInt, write: CInt) {
        var ends: [CInt] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { throw ProgramFailure(command: "pipe", said: "errno \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}
