import PipFrames
import PipPressure
import Testing

@Suite("Load as a level")
struct LoadLevelTests {
    private func deadlines(_ missed: Int, of due: Int, seconds: Int = 6) -> [PressureLevel] {
        var rounds = Rounds()
        return (0..<seconds).map { _ in
            rounds.feed(nil, from: PressureAssessment.deadlines, load: LoadSample(due: due, missed: missed))
        }
    }

    @Test(
        "the level of load follows the share of missed frames",
        arguments: [
            (0, PressureLevel.nominal), (19, .nominal), (20, .fair), (99, .fair), (100, .serious), (399, .serious),
            (400, .serious), (1000, .serious),
        ])
    func misses(missed: Int, level: PressureLevel) { #expect(deadlines(missed, of: 1000).last == level) }

    @Test("the level of load is critical after ten seconds with 40 % of missed frames, and never shutdown")
    func lasting() {
        let levels = deadlines(40, of: 100, seconds: 30)
        #expect(levels.firstIndex(of: .critical) == 10)
        #expect(levels.max() == .critical)
        #expect(deadlines(39, of: 100, seconds: 30).max() == .serious)
    }

    @Test("missed frames count for five seconds")
    func window() {
        var rounds = Rounds()
        for _ in 0..<3 { _ = rounds.feed(nil, load: LoadSample(due: 30, missed: 30)) }
        let levels = (0..<6).map { _ in
            rounds.feed(nil, from: PressureAssessment.deadlines, load: LoadSample(due: 30))
        }
        #expect(levels.first == .serious)
        #expect(levels.last == .nominal)
    }

    @Test("there is no load while no frame is due")
    func idle() { #expect(deadlines(0, of: 0).last == .nominal) }

    @Test(
        "waiting for processors counts as serious only together with missed frames",
        arguments: [
            (39.9, 0, PressureLevel.nominal), (40, 0, .fair), (69.9, 50, .fair), (70, 49, .fair), (70, 50, .serious),
            (100, 1000, .serious),
        ])
    func processor(some: Double, missed: Int, level: PressureLevel) {
        let load = LoadSample(due: 1000, missed: missed)
        #expect(Rounds.settled(.stall(.cpu, some: some, full: 0), load: load) == level)
    }

    @Test(
        "the level of memory is the share of time in which all tasks wait for memory",
        arguments: [
            (1.9, PressureLevel.nominal), (2, .fair), (9.9, .fair), (10, .serious), (29.9, .serious), (30, .critical),
            (100, .critical),
        ])
    func memory(full: Double, level: PressureLevel) {
        #expect(Rounds.settled(.stall(.memory, some: 100, full: full)) == level)
    }

    @Test(
        "the level of disks is the share of time in which all tasks wait, and never more than fair",
        arguments: [(19.9, PressureLevel.nominal), (20, .fair), (100, .fair)])
    func disk(full: Double, level: PressureLevel) {
        #expect(Rounds.settled(.stall(.io, some: 100, full: full)) == level)
    }

    @Test("row 36: a lack of processor time raises the level of load within ten seconds, and disables no camera")
    func starvation() {
        var board = Board()
        board.files.setStall("cpu", some: 0)
        _ = board.sample(seconds: 20)
        var state = PressureState()
        for second in 1...10 {
            // The value rises faster than the kernel's ten-second average, which approaches its limit exponentially.
            board.files.setStall("cpu", some: min(80, Double(second) * 9))
            state = board.sample(load: LoadSample(due: 30, missed: 4)).state
        }
        #expect(state.level == .serious)
        #expect(state.factors[.cpuPressure] == .serious)
        #expect(state.harm == .nominal)
    }
}
