import PipConcurrency
import PipFrames
import Testing

@Suite struct MonitorTests {
    @Test("a change at the deadline of one thread wakes another thread")
    func changeAtDeadline() {
        let value = Monitor(0)
        let isAsked = Monitor(false)
        let isWoken = Monitor(false)
        let waiter = WorkerThread(name: "waiter") {
            _ = value.wait { number -> Bool? in
                isAsked.update { $0 = true }
                return number == 1 ? true : nil
            }
            isWoken.update { $0 = true }
        }
        // The waiter holds the lock until it sleeps.
        _ = isAsked.wait { $0 ? true : nil }
        var calls = 0
        _ = value.wait(until: MonotonicClock().now) { number -> Bool? in
            calls += 1
            guard calls > 1 else { return nil }
            number = 1
            return true
        }
        let limit = MonotonicClock().now.advanced(by: .seconds(20))
        #expect(isWoken.wait(until: limit) { $0 ? true : nil } == true)
        value.update { _ in }
        waiter.join()
    }
}
