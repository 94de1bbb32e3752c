import Synchronization
import Testing

@testable import PipControl

@Suite("Whether frames are still made")
struct PulseTests {
    @Test("a standstill is told once it has lasted, whether or not somebody asked before, and is over with a frame")
    func standstill() {
        let start = ContinuousClock.now
        let passed = Mutex(Duration.zero)
        let pulse = Pulse { start.advanced(by: passed.withLock { $0 }) }
        #expect(pulse.problem == "no frame was made yet")
        pulse.look(1)
        passed.withLock { $0 = .seconds(4) }
        pulse.look(90)
        #expect(pulse.problem == nil)
        passed.withLock { $0 = .seconds(8) }
        pulse.look(90)
        #expect(pulse.problem == nil)
        passed.withLock { $0 = .seconds(10) }
        #expect(pulse.problem == "no frame was made for 6 s")
        pulse.look(91)
        #expect(pulse.problem == nil)
    }
}
