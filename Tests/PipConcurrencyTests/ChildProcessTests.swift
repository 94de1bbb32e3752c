import Glibc
import PipConcurrency
import PipTestSupport
import Testing

@Suite("Child processes", .timeLimit(.minutes(2)))
struct ChildProcessTests {
    private static func shell(_ words: String) -> ChildProcess { ChildProcess(["sh", "-c", words]) }

    @Test(
        "the ending of a program is reported",
        arguments: [
            ("exit 3", ChildProcess.End.exited(3)), ("kill -SEGV $$", .killed(signal: SIGSEGV)),
            ("read line && exit 1 || exit 2", .exited(2)),
        ])
    func ends(_ words: String, _ end: ChildProcess.End) {
        #expect(Self.shell(words).run(within: .seconds(60)) == end)
    }

    @Test(
        "a program that is not there, or that is no program, is not started",
        .enabled(if: !Emulator.hidesFailedStarts, "QEMU does not tell why a program cannot be started"))
    func notStarted() {
        #expect(ChildProcess(["/nonexistent"]).run(within: .seconds(60)) == .notStarted(ENOENT))
        #expect(ChildProcess(["/etc/passwd"]).run(within: .seconds(60)) == .notStarted(EACCES))
        #expect(ChildProcess([]).run(within: .seconds(60)) == .notStarted(ENOENT))
    }

    @Test("a program inherits none of this process's descriptors, and no blocked signal")
    func inheritance() throws {
        // The child must not inherit descriptors that libraries open without `O_CLOEXEC`.
        let descriptor = unsafe open("/dev/null", O_RDONLY)
        try #require(descriptor > STDERR_FILENO)
        defer { close(descriptor) }
        #expect(Self.shell("test ! -e /proc/self/fd/\(descriptor)").run(within: .seconds(60)) == .exited(0))
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGTERM)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        defer { unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil) }
        #expect(Self.shell("kill -TERM $$; exit 0").run(within: .seconds(60)) == .killed(signal: SIGTERM))
    }

    @Test("output and errors come line by line, and a program has its variables beside the process's")
    func output() {
        var lines: [String] = []
        let program = ChildProcess(
            ["sh", "-c", "echo \"$GREETING\"; echo bad >&2; printf 'a\\tb\\033[1m\\n\\nend'; test -n \"$PATH\""],
            variables: ["GREETING": "hello"])
        #expect(program.run(within: .seconds(60)) { lines.append($0) } == .exited(0))
        #expect(lines == ["hello", "bad", "a b[1m", "", "end"])
    }

    @Test("lines without end are cut, and a program that writes without end is stopped by its time")
    func flood() {
        var (count, longest) = (0, 0)
        let end = Self.shell("yes 12345678901234567890").run(within: .seconds(1)) {
            count += 1
            longest = max(longest, $0.utf8.count)
        }
        #expect(end == .tookTooLong && count > 0 && longest == 20)
        let program = Self.shell("head -c 100000 /dev/zero | tr '\\0' x")
        #expect(program.run(within: .seconds(60)) { longest = max(longest, $0.utf8.count) } == .exited(0))
        #expect(longest == LineSplitter.longest)
    }

    /// Runs words that write a line when they are ready, and makes them end then.
    private static func interrupted(_ words: String, grace: Duration) -> ChildProcess.End {
        let interruption = Interruption()
        return ChildProcess(["sh", "-c", words], grace: grace).run(within: .seconds(60), until: interruption) { _ in
            interruption.raise()
        }
    }

    @Test("a program that must end is asked to, then stopped, with all that it has started")
    func limits() throws {
        let folder = try TemporaryFolder()
        #expect(ChildProcess(["sleep", "100"]).run(within: .milliseconds(50)) == .tookTooLong)
        let polite = "trap 'echo bye >\(folder.path("polite")); exit' TERM; echo ready; sleep 100 & wait"
        #expect(Self.interrupted(polite, grace: .seconds(60)) == .interrupted)
        #expect(try folder.read("polite") == Array("bye\n".utf8))
        let stubborn = "trap '' TERM; sleep 100 & echo $! >\(folder.path("child")); echo ready; wait"
        #expect(Self.interrupted(stubborn, grace: .milliseconds(50)) == .interrupted)
        let child = pid_t(String(decoding: try folder.read("child"), as: UTF8.self).dropLast()) ?? 0
        #expect(child > 0 && Self.isGone(child))
    }

    /// Waits until a killed process is gone, or a zombie that its new parent has not yet collected.
    private static func isGone(_ process: pid_t) -> Bool {
        for _ in 0..<10_000 {
            guard let state = stateOfProcess(process), state != "Z", state != "X" else { return true }
            usleep(1000)
        }
        return false
    }
}

/// The letter of a process's state; nil for a process that is not there.
private func stateOfProcess(_ process: pid_t) -> Character? {
    guard let file = unsafe fopen("/proc/\(process)/stat", "r") else { return nil }
    defer { unsafe fclose(file) }
    var bytes = [CChar](repeating: 0, count: 512)
    guard unsafe fgets(&bytes, 512, file) != nil else { return nil }
    let text = String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return text.split(separator: ")").last?.first { $0 != " " }
}
