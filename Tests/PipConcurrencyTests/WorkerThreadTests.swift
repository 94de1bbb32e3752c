import Foundation
import PipConcurrency
import PipFrames
import Testing

@Suite("A worker thread")
struct WorkerThreadTests {
    /// Names of the process's threads, as the kernel has them.
    private var threadNames: [String] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.compactMap { try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8) }
    }

    @Test("is gone once it is joined", arguments: [true, false])
    func joined(blocking: Bool) async {
        let name = "gone-\(blocking)"
        let worker = WorkerThread(name: name) {}
        if blocking { #expect(worker.join()) } else { await worker.joined() }
        #expect(!threadNames.contains("\(name)\n"))
        // Again is no harm.
        await worker.joined()
    }

    @Test("that works on is not waited for beyond the deadline")
    func deadline() {
        let gate = Monitor(false)
        let worker = WorkerThread(name: "busy") { _ = gate.wait { isOpen -> Void? in isOpen ? () : nil } }
        #expect(!worker.join(until: MonotonicClock().now))
        gate.update { $0 = true }
        #expect(worker.join())
    }

    @Test("ends by itself when nobody joins it")
    func detached() async {
        await withCheckedContinuation { continuation in
            _ = WorkerThread(name: "alone") { continuation.resume() }
        }
    }
}
