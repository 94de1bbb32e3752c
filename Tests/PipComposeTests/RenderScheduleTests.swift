import PipFrames
import Testing

@testable import PipCompose

@Suite("The schedule of an output")
struct RenderScheduleTests {
    @Test(
        "output times are thinned out evenly to a lower rate",
        arguments: [
            (30, 20, 200), (30, 15, 150), (30, 10, 100), (30, 1, 10), (25, 24, 240), (30, 30, 300), (30, 60, 300),
        ])
    func thinned(rate: Int, limit: Int, frames: Int) {
        var schedule = RenderSchedule(rate: FrameRate(rate))
        schedule.limit = FrameRate(limit)
        var moments = [0]
        while true {
            _ = schedule.advance(elapsed: nil, end: nil)
            if schedule.tick >= rate * 10 { break }
            moments.append(schedule.tick)
        }
        #expect(moments.count == frames)
        let steps = Set(zip(moments, moments.dropFirst()).map { $1 - $0 })
        #expect((steps.max() ?? 0) - (steps.min() ?? 0) <= 1)
    }

    @Test("output times that have passed count as missed, and those left out on purpose do not")
    func missed() {
        var schedule = RenderSchedule(rate: FrameRate(30))
        schedule.limit = FrameRate(15)
        // The limit leaves ticks 2, 4 and 6. It is already time for tick 6, so ticks 2 and 4 are missed.
        let passed = schedule.advance(elapsed: .milliseconds(201), end: nil)
        #expect(passed == RenderSchedule.Passed(thinned: 3, missed: 2))
        #expect(schedule.tick == 6)
        #expect(schedule.leftOut == 3)
        schedule.frameDrawn()
        #expect(schedule.leftOut == 0)
    }

    @Test("an output of a lower rate gets evenly spaced frames, and makes up for missed or omitted ticks")
    func gate() throws {
        let gate = try #require(OutputGate(FrameRate(10), of: FrameRate(30)))
        #expect(OutputGate(FrameRate(30), of: FrameRate(30)) == nil)
        #expect((0..<9).filter { gate.isOpen(at: $0, after: $0 - 1) } == [0, 3, 6])
        // Tick 3 was missed: tick 4 replaces it, and tick 5 gets no frame.
        #expect(gate.isOpen(at: 4, after: 2) && !gate.isOpen(at: 5, after: 4))
        // Ticks 1 to 6 were left out on purpose. This output would have had ticks 3 and 6; tick 7 replaces one of these
        // two.
        #expect(gate.isOpen(at: 7, after: 0) && gate.repeats(at: 7, after: 6) == 1)
        #expect(gate.repeats(at: 3, after: 0) == 0)
    }

    @Test("one frame in each interval is the first at or after its due time, and a late one delays no other")
    func interval() {
        let gate = IntervalGate(.seconds(10))
        func taken(_ seconds: Double) -> Int? {
            let time = Timestamp(nanoseconds: 5_000_000_000 + Int64(seconds * 1e9))
            return gate.isOpen(at: time) ? gate.take(at: time) : nil
        }
        let times = [0, 0.1, 9.99, 10, 10.1, 23.5, 29.9, 30.02, 65, 69.9, 70]
        #expect(times.map(taken) == [0, nil, nil, 0, nil, 0, nil, 0, 2, nil, 0])
    }

    @Test("the due times of an interval do not drift in a year")
    func year() {
        let gate = IntervalGate(.nanoseconds(8_333_333_333))
        let rate = FrameRate(30)
        var count = 0
        // Each 250th tick is due, to the nanosecond that the rate rounds down.
        for picture in stride(from: 0, to: 3_784_320, by: 997) {
            let time = Timestamp.zero.advanced(by: rate.offset(ofFrame: picture * 250))
            if gate.isOpen(at: time) { count += 1 }
            _ = gate.take(at: time)
            let early = Timestamp.zero.advanced(by: rate.offset(ofFrame: picture * 250 + 249))
            #expect(!gate.isOpen(at: early))
        }
        #expect(count == 3796)
    }

    @Test("the schedule ends at its last tick, however late it is")
    func ends() {
        var schedule = RenderSchedule(rate: FrameRate(30))
        let passed = schedule.advance(elapsed: .seconds(10), end: 4)
        #expect(schedule.tick == 4)
        #expect(passed.missed == 3)
    }
}
