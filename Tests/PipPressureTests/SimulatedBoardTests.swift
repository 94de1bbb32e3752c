import PipFrames
import PipPressure
import PipTestSupport
import Testing

@Suite("A governor on a board that warms up as it works")
struct SimulatedBoardTests {
    /// Boards with slow and fast warming, and with little and much excess heat.
    static let boards: [(timeConstant: Double, excess: Double)] = [60, 120, 300].flatMap { time in
        [3, 8, 15, 30, 60].map { (time, $0) }
    }

    @Test(
        "row 68: keeps nearly the frame rate of the best fixed setting for ever, without oscillation",
        arguments: boards)
    func overload(timeConstant: Double, excess: Double) {
        var run = BoardRun(.balanced, SimulatedBoard(timeConstant: timeConstant, excess: excess))
        run.run(seconds: 2700)
        let mean = run.framesPerSecond.dropFirst(600).reduce(0, +) / 2100
        #expect(mean >= 0.9 * run.bestFixed, "\(mean) of \(run.bestFixed)")
        #expect(run.slowestAction <= 2)
        #expect(run.oscillations < 3, "\(run.moves)")
        #expect(run.hottest < SimulatedBoard.critical - 5, "\(run.hottest) °C")
    }

    @Test("takes no mitigation on a board that stays cool under all work", arguments: [60.0, 300])
    func bearable(timeConstant: Double) {
        var run = BoardRun(.balanced, SimulatedBoard(timeConstant: timeConstant, excess: -12))
        run.run(seconds: 1800)
        #expect(run.moves.isEmpty)
    }

    @Test("takes all mitigations back once the board is cool", arguments: [60.0, 300])
    func recovers(timeConstant: Double) {
        var run = BoardRun(.balanced, SimulatedBoard(timeConstant: timeConstant, excess: 30))
        run.run(seconds: 1200)
        #expect(run.governor.relief != PressureRelief())
        // The board moves to a cooler place.
        run.board.move(excess: -30)
        run.run(seconds: 2400)
        #expect(run.governor.relief == PressureRelief())
    }
}
