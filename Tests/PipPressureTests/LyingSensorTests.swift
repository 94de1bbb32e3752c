import PipFrames
import PipPressure
import PipTestSupport
import SystemPackage
import Testing

@Suite("A sensor that lies")
struct LyingSensorTests {
    private static let temperature = "sys/class/thermal/thermal_zone0/temp"
    private static let trips = [
        FakeSensors.Trip(0, "passive", 80, hysteresis: 2), FakeSensors.Trip(3, "hot", 95),
        FakeSensors.Trip(4, "critical", 105),
    ]

    private func board(celsius: Double) -> Board {
        let board = Board()
        board.files.addZone(celsius: celsius, trips: Self.trips)
        return board
    }

    @Test(
        "row 69: a sensor with an impossible value is ignored, and excluded after ten seconds",
        arguments: ["-40000", "255000", "warm", ""])
    func nonsense(text: String) {
        var board = board(celsius: 60)
        _ = board.sample(seconds: 5)
        board.files.set(Self.temperature, text)
        let before = board.sample(seconds: 10)
        #expect(before.problems == [])
        let after = board.sample(seconds: 100)
        #expect(after.problems.count == 1)
        #expect(after.problems.first?.description.contains("which is not plausible") == true)
        #expect((before.levels + after.levels).max() == .nominal)
    }

    @Test("row 69: a sensor that cannot be read is excluded after ten seconds", arguments: [Errno.ioError, .noData])
    func unreadable(error: Errno) {
        var board = board(celsius: 60)
        _ = board.sample(seconds: 5)
        board.files.fail(Self.temperature, error)
        #expect(board.sample(seconds: 10).problems == [])
        let problems = board.sample(seconds: 100).problems
        #expect(problems == [SensorProblem(source: "thermal_zone0 (cpu-thermal)", kind: .unreadable(error))])
    }

    @Test("row 69: a sensor that fails occasionally is not reported")
    func glitches() {
        var board = board(celsius: 60)
        for round in 0..<200 {
            if round % 4 < 3 { board.files.fail(Self.temperature, .ioError) } else { board.files.setZone(celsius: 60) }
            #expect(board.sample().problems == [])
        }
    }

    @Test("row 69: a sensor that works again is used again, and reported if it fails again")
    func again() {
        var board = board(celsius: 60)
        var problems = 0
        for _ in 0..<2 {
            board.files.setZone(celsius: 60)
            problems += board.sample(seconds: 5).problems.count
            board.files.fail(Self.temperature, .ioError)
            problems += board.sample(seconds: 30).problems.count
        }
        #expect(problems == 2)
        board.files.setZone(celsius: 96)
        #expect(board.sample().state.level == .critical)
    }

    @Test("row 69: a leap faster than 20 °C a second counts only after as many seconds as the rise would take")
    func leap() {
        var board = board(celsius: 50)
        _ = board.sample(seconds: 3)
        board.files.setZone(celsius: 70.1)
        #expect(board.sample().state.readings.contains { $0.detail.hasPrefix("50.0 °C") })
        #expect(board.sample().state.readings.contains { $0.detail.hasPrefix("70.1 °C") })
        board.files.setZone(celsius: 90.1)
        #expect(board.sample().state.readings.contains { $0.detail.hasPrefix("90.1 °C") })
    }

    @Test("row 69: a hot zone that vanishes keeps its level for a minute", arguments: [82.0, 97, 101])
    func vanishes(celsius: Double) {
        var board = board(celsius: celsius)
        _ = board.sample(seconds: 3)
        let level = board.sample().state.level
        #expect(level >= .serious)
        board.files.remove("sys/class/thermal/thermal_zone0")
        let gone = board.sample(seconds: 60)
        #expect(gone.levels.allSatisfy { $0 == level })
        #expect(gone.problems == [SensorProblem(source: "thermal_zone0 (cpu-thermal)", kind: .vanished)])
        let later = board.sample(seconds: 30)
        #expect(later.levels.last == .nominal)
        #expect(later.problems == [])
        let held = gone.levels.filter { $0 == level }.count
        FaultReport.record(row: 69, figures: "\(level) held for \(held) s after the zone was gone", on: .fake)
    }

    @Test(
        "row 69: a hot sensor that fails keeps its level for a minute",
        arguments: ["error", "-40000", "255000"])
    func failsHot(how: String) {
        var board = board(celsius: 82)
        _ = board.sample(seconds: 3)
        if how == "error" {
            board.files.fail(Self.temperature, .noData)
        } else {
            board.files.set(Self.temperature, how)
        }
        #expect(board.sample(seconds: 60).levels.allSatisfy { $0 == .serious })
        #expect(board.sample(seconds: 2).levels.last == .nominal)
    }

    @Test("row 69: a hot sensor that stays constant while another one changes is excluded, until it changes")
    func stuck() {
        var board = board(celsius: 82)
        board.files.addZone(1, type: "soc", celsius: 40, trips: Self.trips)
        var problems: [SensorProblem] = []
        for second in 0..<400 {
            board.files.setZone(1, celsius: second < 200 ? 40 : 55)
            problems += board.sample().problems
        }
        #expect(problems == [SensorProblem(source: "thermal_zone0 (cpu-thermal)", kind: .stuck("82.0 °C"))])
        #expect(board.sample().state.level == .nominal)
        board.files.setZone(celsius: 83)
        #expect(board.sample(seconds: 2).levels.last == .serious)
    }

    @Test("row 69: a hot sensor that stays constant among other constant ones is believed")
    func steady() {
        var board = board(celsius: 82)
        board.files.addZone(1, type: "soc", celsius: 40, trips: Self.trips)
        let result = board.sample(seconds: 1000)
        #expect(result.problems == [])
        #expect(result.levels.last == .serious)
    }

    @Test("row 69: the loss of a sensor that never had a value is not reported")
    func neverWorked() {
        var board = board(celsius: 60)
        board.files.fail(Self.temperature, .noData)
        let result = board.sample(seconds: 60)
        #expect(result.problems == [])
        #expect(result.levels.max() == .nominal)
    }
}
