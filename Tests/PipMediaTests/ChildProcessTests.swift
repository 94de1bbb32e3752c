#if Media
import Glibc
import Testing

@testable import PipMedia

@Suite("Child processes")
struct ChildProcessTests {
    private static func shell(_ words: String, within limit: Duration = .seconds(20)) -> ChildProcess.End {
        ChildProcess.run(["sh", "-c", words], within: limit)
    }

    @Test("the ending of a program is reported")
    func ends() {
        #expect(Self.shell("exit 3") == .exited(3))
        #expect(Self.shell("kill -SEGV $$") == .killed(signal: SIGSEGV))
        #expect(Self.shell("sleep 100", within: .milliseconds(50)) == .tookTooLong)
        #expect(ChildProcess.run(["/nonexistent"], within: .seconds(20)) == .notFound)
    }

    @Test("a program inherits none of this process's descriptors")
    func descriptors() throws {
        // The child must not inherit descriptors that libraries open without `O_CLOEXEC`.
        let descriptor = unsafe open("/dev/null", O_RDONLY)
        try #require(descriptor > STDERR_FILENO)
        defer { close(descriptor) }
        #expect(Self.shell("test ! -e /proc/self/fd/\(descriptor)") == .exited(0))
    }
}
#endif
