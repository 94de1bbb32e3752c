import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@Suite("A worker thread")
struct WorkerThreadTests {
    @Test("a thread has ended once it is joined", arguments: [true, false])
    func joined(blocking: Bool) async {
        let name = "gone-\(blocking)"
        let (gate, hasEnded) = (Monitor(false), Monitor(false))
        let worker = WorkerThread(name: name) {
            gate.wait { isOpen -> Void? in isOpen ? () : nil }
            hasEnded.update { $0 = true }
        }
        let opener = WorkerThread(name: "opener") { gate.update { $0 = true } }
        if blocking { #expect(worker.join()) } else { await worker.joined() }
        #expect(hasEnded.read { $0 })
        #expect(opener.join())
        // The kernel tells of a thread's end before it takes the thread from its list.
        #expect(await becomes { !threadNames.contains(name) })
        // Joining again is harmless.
        await worker.joined()
    }

    @Test("joining does not wait beyond the deadline")
    func deadline() {
        let gate = Monitor(false)
        let worker = WorkerThread(name: "busy") { _ = gate.wait { isOpen -> Void? in isOpen ? () : nil } }
        #expect(!worker.join(until: MonotonicClock().now))
        gate.update { $0 = true }
        #expect(worker.join())
    }

    @Test("a thread that nobody joins ends by itself")
    func detached() async {
        await withCheckedContinuation { continuation in
            _ = WorkerThread(name: "alone") { continuation.resume() }
        }
    }
}
