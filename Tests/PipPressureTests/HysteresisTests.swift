import PipFrames
import PipPressure
import Testing

@Suite("Levels over time")
struct HysteresisTests {
    @Test("levels rise to fair and serious at the second sample, and to critical and shutdown at once")
    func rise() {
        for (celsius, level) in [(75.0, PressureLevel.fair), (82, .serious)] {
            var rounds = Rounds()
            #expect(rounds.feed(.zone(celsius)) == .nominal)
            #expect(rounds.feed(.zone(celsius)) == level)
        }
        for (celsius, level) in [(96.0, PressureLevel.critical), (101, .shutdown)] {
            var rounds = Rounds()
            #expect(rounds.feed(.zone(celsius)) == level)
        }
    }

    @Test("levels do not rise for a single high sample")
    func spike() {
        var rounds = Rounds()
        let levels = (0..<20).map { rounds.feed(.zone($0.isMultiple(of: 2) ? 82 : 60)) }
        #expect(levels.max() == .nominal)
    }

    @Test("levels rise only as far as two samples agree")
    func agreement() {
        var rounds = Rounds()
        _ = rounds.feed(.zone(82))
        #expect(rounds.feed(.zone(75)) == .fair)
        #expect(rounds.feed(.zone(82)) == .fair)
        #expect(rounds.feed(.zone(82)) == .serious)
    }

    @Test(
        "a level ends 3 °C below its threshold, and not earlier",
        arguments: [(80.0, PressureLevel.serious), (95, .critical), (100, .shutdown), (72, .fair)])
    func leave(threshold: Double, level: PressureLevel) {
        var rounds = Rounds()
        for _ in 0..<3 { _ = rounds.feed(.zone(threshold)) }
        #expect(rounds.feed(.zone(threshold - 3)) == level)
        #expect(rounds.feed(.zone(threshold - 3.1)) < level)
    }

    @Test("a level ends at the zone's own hysteresis where that is larger")
    func ownHysteresis() {
        var rounds = Rounds()
        for _ in 0..<3 { _ = rounds.feed(.zone(80, passiveHysteresis: 6)) }
        #expect(rounds.feed(.zone(74, passiveHysteresis: 6)) == .serious)
        #expect(rounds.feed(.zone(73.9, passiveHysteresis: 6)) == .fair)
    }

    @Test("levels do not change with a temperature that varies around a threshold")
    func waver() {
        var rounds = Rounds()
        let levels = (0..<600).map { rounds.feed(.zone($0.isMultiple(of: 2) ? 80.4 : 79.6)) }
        #expect(zip(levels, levels.dropFirst()).filter { $0 != $1 }.count <= 2)
    }

    @Test("levels follow a ramp up and down, each level once")
    func ramp() {
        var rounds = Rounds()
        var visited: [PressureLevel] = []
        for step in Array(0...220) + Array((0...220).reversed()) {
            let level = rounds.feed(.zone(50 + Double(step) / 4))
            if visited.last != level { visited.append(level) }
        }
        #expect(
            visited == [
                .nominal, .fair, .serious, .critical, .shutdown, .critical, .serious, .fair, .nominal,
            ])
    }

    @Test("the level of a silent sensor stays for ten seconds after a calm value")
    func silentCalm() {
        var rounds = Rounds()
        for _ in 0..<3 { _ = rounds.feed(.zone(75)) }
        let levels = (0...10).map { _ in rounds.feed(nil) }
        #expect(levels.dropLast().allSatisfy { $0 == .fair })
        #expect(levels.last == .nominal)
    }

    @Test("the level of a silent sensor stays for a minute after a serious value")
    func silentHot() {
        var rounds = Rounds()
        for _ in 0..<3 { _ = rounds.feed(.zone(82)) }
        let levels = (0...60).map { _ in rounds.feed(nil) }
        #expect(levels.dropLast().allSatisfy { $0 == .serious })
        #expect(levels.last == .nominal)
    }

    @Test("the level is unknown without any sensor other than the session's own deadlines")
    func unknown() {
        var assessment = PressureAssessment()
        #expect(!assessment.assess([], load: LoadSample(due: 30), now: .zero).isKnown)
        let zone = SensorSample(source: "zone", value: .zone(45))
        #expect(assessment.assess([zone], load: LoadSample(due: 30), now: Timestamp(nanoseconds: 1)).isKnown)
    }
}
