import Synchronization
import Testing

@testable import PipControl

@Suite("Frame watchdog")
struct FrameWatchdogTests {
    @Test("a standstill is reported after some seconds, with or without an earlier query, and ends with a frame")
    func standstill() {
        let start = ContinuousClock.now
        let passed = Mutex(Duration.zero)
        let watchdog = FrameWatchdog { start.advanced(by: passed.withLock { $0 }) }
        #expect(watchdog.problem == "no frame has been made yet")
        watchdog.record(1)
        passed.withLock { $0 = .seconds(4) }
        watchdog.record(90)
        #expect(watchdog.problem == nil)
        passed.withLock { $0 = .seconds(8) }
        watchdog.record(90)
        #expect(watchdog.problem == nil)
        passed.withLock { $0 = .seconds(10) }
        #expect(watchdog.problem == "no frame has been made for 6 s")
        watchdog.record(91)
        #expect(watchdog.problem == nil)
    }
}
