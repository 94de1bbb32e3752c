import Synchronization
import Testing

@testable import PipControl

@Suite("Whether frames are still made")
struct FrameWatchdogTests {
    @Test("a standstill is told once it has lasted, whether or not somebody asked before, and is over with a frame")
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
