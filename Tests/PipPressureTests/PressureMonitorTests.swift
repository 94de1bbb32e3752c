import Glibc
import PipConcurrency
import PipFrames
import Testing

@testable import PipPressure

@Suite("Continuous measurement")
struct PressureMonitorTests {
    /// The states that a monitor reported, in order.
    private final class Record: Sendable {
        let states: Monitor<[(state: PressureState, time: Timestamp)]>
        let clock: MonotonicClock

        init(_ clock: MonotonicClock) {
            self.clock = clock
            states = Monitor([], clock: clock)
        }

        /// Blocks until `count` samples were reported; nil if 30 seconds pass first.
        func wait(for count: Int) -> [(state: PressureState, time: Timestamp)]? {
            states.wait(until: clock.now.advanced(by: .seconds(30))) { $0.count >= count ? $0 : nil }
        }
    }

    private func monitor(
        _ record: Record, load: LoadSample = LoadSample(), sources: [any WakeSource] = []
    ) -> PressureMonitor {
        PressureMonitor(root: "/nowhere", clock: record.clock, sources: { sources }, load: { load }) {
            state, problems, time in
            #expect(problems == [])
            record.states.update { $0.append((state, time)) }
        }
    }

    @Test("samples at once when started, reads the load first, and stops sampling when stopped")
    func sampling() async throws {
        try await VirtualTime.run { clock, _ in
            let record = Record(clock)
            let monitor = monitor(record, load: LoadSample(due: 10, missed: 5))
            monitor.start()
            monitor.start()
            let told = try #require(record.wait(for: 2))
            #expect(told[0].state.isKnown == false)
            #expect(told[0].state.readings.first?.detail == "50.0 % of frames missed")
            #expect(told[1].state.level == .serious)
            #expect(told[0].time.duration(to: told[1].time) == .milliseconds(500), "the second look")
            monitor.stop()
            let count = record.states.read { $0.count }
            monitor.stop()
            monitor.start()
            try await clock.sleep(for: .seconds(10))
            #expect(record.states.read { $0.count } == count)
            #expect(monitor.wakes.thermal == 0)
        }
    }

    @Test("samples again half a second after a first high value, so that relief comes within two seconds")
    func secondLook() throws {
        #expect(MonitorLoop.interval(at: .nominal, isUnsure: false) == .seconds(1))
        #expect(MonitorLoop.interval(at: .fair, isUnsure: true) == .milliseconds(500))
        #expect(MonitorLoop.interval(at: .serious, isUnsure: true) == .milliseconds(200))
        var board = Board()
        board.files.addZone(celsius: 70, trips: [.init(0, "passive", 80)])
        var unsure: [Bool] = []
        for celsius in [70.0, 73, 73, 81, 81, 81, 60] {
            board.files.setZone(celsius: celsius)
            _ = board.sample()
            unsure.append(board.isUnsure)
        }
        #expect(unsure == [false, true, false, true, false, false, false])
    }

    @Test("a monitor may be stopped before its start")
    func unstarted() {
        let record = Record(MonotonicClock())
        let monitor = monitor(record)
        monitor.stop()
        monitor.start()
        #expect(record.states.read { $0.isEmpty })
    }

    /// A wake source whose descriptor is always ready.
    private struct Burst: WakeSource {
        let descriptor: Int32
        var events: Int32 { Int32(POLLIN) }
        var wake: EarlyWake?
        /// The number of calls of `take(_:)`.
        let taken = Monitor(0)

        func take(_ ready: Int32) throws(WakeSourceLost) -> EarlyWake? {
            taken.update { $0 += 1 }
            return wake
        }
    }

    private func withBurst(
        _ wake: EarlyWake?, _ body: (Burst, Record) async throws -> Void
    ) async throws {
        var ends: [Int32] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        #expect(unsafe write(ends[1], "x", 1) == 1)
        let reading = ends[0]
        try await VirtualTime.run { clock, _ in
            try await body(Burst(descriptor: reading, wake: wake), Record(clock))
        }
    }

    @Test("row 70: a burst of thermal events makes no more than ten samples a second")
    func burst() async throws {
        try await withBurst(.thermal) { burst, record in
            let monitor = monitor(record, sources: [burst])
            monitor.start()
            let times = try #require(record.wait(for: 6)).map(\.time)
            monitor.stop()
            for (earlier, later) in zip(times, times.dropFirst()) {
                #expect(earlier.duration(to: later) == MonitorLoop.shortestInterval)
            }
            #expect(monitor.wakes.thermal >= 4)
        }
    }

    @Test("row 70: irrelevant events cause no sample, and no busy loop")
    func idleBurst() async throws {
        try await withBurst(nil) { burst, record in
            let monitor = monitor(record, sources: [burst])
            monitor.start()
            let times = try #require(record.wait(for: 2)).map(\.time)
            monitor.stop()
            #expect(times[0].duration(to: times[1]) == MonitorLoop.interval)
            #expect(burst.taken.read { $0 } <= 1 + Int(MonitorLoop.interval / MonitorLoop.shortestInterval))
            #expect(monitor.wakes.thermal == 0)
        }
    }

    /// A wake source that is lost at its first event.
    private struct Ending: WakeSource {
        let descriptor: Int32
        var events: Int32 { Int32(POLLIN) }

        func take(_ ready: Int32) throws(WakeSourceLost) -> EarlyWake? { throw WakeSourceLost() }
    }

    @Test("row 70: samples by the clock when the wake source is lost")
    func lost() async throws {
        try await withBurst(nil) { burst, record in
            let monitor = monitor(record, sources: [Ending(descriptor: burst.descriptor)])
            monitor.start()
            #expect(record.wait(for: 3) != nil)
            monitor.stop()
            #expect(monitor.wakes.timer >= 2)
            #expect(monitor.wakes.thermal == 0)
        }
    }
}
