import PipConcurrency
import PipFrames
import PipPressure
import Testing

@Suite("Measuring all the time")
struct PressureMonitorTests {
    /// States and loads, in the order in which they came.
    private final class Record: Sendable {
        let states = Monitor<[PressureState]>([])
    }

    @Test("samples at once when started, asks for the load first, and is silent when stopped")
    func sampling() {
        let record = Record()
        let monitor = PressureMonitor(root: "/nowhere") {
            LoadSample(due: 10, missed: 5)
        } onState: { state, problems, _ in
            #expect(problems == [])
            record.states.update { $0.append(state) }
        }
        monitor.start()
        monitor.start()
        let until = MonotonicClock().now.advanced(by: .seconds(20))
        let first = record.states.wait(until: until) { $0.first }
        #expect(first?.isKnown == false)
        #expect(first?.readings.first?.detail == "50.0 % of frames late")
        #expect(record.states.wait(until: until) { $0.count >= 2 ? $0.last : nil }?.level == .serious)
        monitor.stop()
        let count = record.states.read { $0.count }
        monitor.stop()
        monitor.start()
        #expect(record.states.read { $0.count } == count)
    }
}
