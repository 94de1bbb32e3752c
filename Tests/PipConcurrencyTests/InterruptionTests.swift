import Glibc
import PipConcurrency
import PipFrames
import Testing

@Suite struct InterruptionTests {
    /// A pipe that closes its two descriptors when it is released.
    private final class Pipe {
        var ends: [Int32] = [-1, -1]
        init() { _ = unsafe pipe(&ends) }
        deinit { for end in ends { close(end) } }
    }

    @Test("a descriptor that can be read ends the wait")
    func ready() {
        let pipe = Pipe()
        _ = unsafe write(pipe.ends[1], "x", 1)
        #expect(Interruption().wait(for: pipe.ends[0], events: POLLIN) == .ready)
    }

    @Test("raising ends the wait of another thread")
    func raised() {
        let pipe = Pipe()
        let interruption = Interruption()
        let end = pipe.ends[0]
        let outcome = Monitor<Interruption.Wake?>(nil)
        let thread = WorkerThread(name: "waits") {
            let wake = interruption.wait(for: end, events: POLLIN)
            outcome.update { $0 = wake }
        }
        interruption.raise()
        thread.join()
        #expect(outcome.read { $0 } == .interrupted)
    }

    @Test("once an interruption is raised, no wait begins, even where the descriptor is ready")
    func staysRaised() {
        let pipe = Pipe()
        _ = unsafe write(pipe.ends[1], "x", 1)
        let interruption = Interruption()
        interruption.raise()
        interruption.raise()
        #expect(interruption.isRaised)
        #expect(interruption.wait(for: pipe.ends[0], events: POLLIN) == .interrupted)
    }

    @Test("a deadline that has passed ends the wait")
    func deadline() {
        let pipe = Pipe()
        let past = MonotonicClock().now
        #expect(Interruption().wait(for: pipe.ends[0], events: POLLIN, until: past) == .timedOut)
    }

    @Test("a closed other end counts as ready")
    func hangUp() {
        let pipe = Pipe()
        close(pipe.ends[1])
        pipe.ends[1] = -1
        #expect(Interruption().wait(for: pipe.ends[0], events: POLLIN) == .ready)
    }
}
