import Glibc

/// A program that runs beside a test, with pipes for its input and output.
///
/// Foundation's `Process` cannot be used here: it reports the end of a program to the thread that started it, and an
/// asynchronous test may have left that thread.
final class Background: Sendable {
    private let process: pid_t
    private let input: CInt
    private let output: CInt

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - words: The program, which is located through `PATH`, and its arguments.
    ///   - includesErrors: True to read the standard error of the program, too.
    /// - Throws: ``ProgramFailure`` if the program cannot be started.
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

    /// Waits for output of the program, and returns the output; empty at the end of the output.
    func read() -> String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe Glibc.read(output, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Waits until the program has printed a text.
    ///
    /// - Throws: ``ProgramFailure`` if the program ends first.
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

    /// Waits until the program has ended.
    ///
    /// - Returns: The remaining output, and the exit status; 128 plus the signal's number after a signal.
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

    /// Kills the program, and waits until it has ended.
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
