import Foundation
import PipFrames
import PipPressure

/// A board with a heat capacity, whose processor is heated by the session's work.
///
/// The board is a first-order system: the temperature approaches a value that depends on the work, with a time
/// constant.
struct SimulatedBoard {
    /// The trips of the board's thermal zone.
    static let passive = 80.0
    static let critical = 105.0
    private static let ambient = 35.0
    /// The share of the board's heat that does not come from the session.
    private static let idleShare = 0.15

    let timeConstant: Double
    /// The final temperature above ambient under all configured work.
    private(set) var rise: Double
    let files = FakeSensors()
    private(set) var celsius = Self.ambient

    /// Makes a board at the ambient temperature.
    ///
    /// - Parameters:
    ///   - timeConstant: The thermal time constant in seconds.
    ///   - excess: The final temperature above the passive trip point, without any mitigation.
    init(timeConstant: Double, excess: Double) {
        self.timeConstant = timeConstant
        rise = Self.passive + excess - Self.ambient
        files.addZone(
            celsius: celsius,
            trips: [.init(0, "passive", Self.passive, hysteresis: 2), .init(1, "critical", Self.critical)])
    }

    /// Moves the board to a warmer or cooler place.
    ///
    /// The new final temperature is `excess` above the passive trip, under all configured work.
    mutating func move(excess: Double) { rise = Self.passive + excess - Self.ambient }

    /// Advances the board's temperature by a second under a relief.
    mutating func pass(_ relief: PressureRelief) {
        let target = last(under: relief)
        celsius = target + (celsius - target) * exp(-1 / timeConstant)
        files.setZone(celsius: celsius)
    }

    /// The final temperature under a relief.
    func last(under relief: PressureRelief) -> Double {
        Self.ambient + rise * (Self.idleShare + (1 - Self.idleShare) * Self.work(relief))
    }

    /// The remaining share of the work, from 0 to 1.
    static func work(_ relief: PressureRelief) -> Double {
        if relief.isPaused || relief.isStopped { return 0 }
        let main = framesPerSecond(relief) / 30
        let effects: Double =
            switch relief.effects {
            case .full: 0.3
            case .reduced: 0.2
            case .cheap: 0.1
            case .none: 0
            }
        let inset = relief.insetIsOff ? 0 : 0.25 * min(1, (relief.insetRate?.framesPerSecond ?? 30) / 30)
        let capture = relief.mainSize == nil ? 0.2 : 0.1
        return main * (0.25 + effects + capture) + inset
    }

    /// Output frames a second under a relief.
    static func framesPerSecond(_ relief: PressureRelief) -> Double {
        relief.isPaused || relief.isStopped ? 0 : min(30, relief.mainRate?.framesPerSecond ?? 30)
    }
}

/// The run of a governor on a simulated board.
struct BoardRun {
    var governor: PressureGovernor
    var board: SimulatedBoard
    private var sampler: PressureSampler
    private var clock = Timestamp(nanoseconds: 1_000_000_000)
    private(set) var second = 0
    /// The seconds at which mitigations were taken (+1) or taken back (-1).
    private(set) var moves: [(second: Int, direction: Int)] = []
    private(set) var framesPerSecond: [Double] = []
    private(set) var hottest = 0.0
    /// The longest time, in seconds, for which the board was above the passive trip before the governor's level was
    /// serious.
    private(set) var slowestAction = 0
    private var hotSince: Int?
    private(set) var levels: [PressureLevel] = []

    init(_ policy: PressurePolicy, _ board: SimulatedBoard) {
        governor = PressureGovernor(policy)
        self.board = board
        sampler = PressureSampler(files: board.files)
    }

    mutating func run(seconds: Int) {
        for _ in 0..<seconds {
            board.pass(governor.relief)
            let (state, _) = sampler.sample(load: LoadSample(due: 30), now: clock)
            if let decision = governor.step(state, now: clock, isIdle: { $0.isOfEncoding }) {
                if !decision.taken.isEmpty { moves.append((second, 1)) }
                if !decision.restored.isEmpty { moves.append((second, -1)) }
                if decision.state.level != decision.previousLevel { levels.append(decision.state.level) }
            }
            framesPerSecond.append(SimulatedBoard.framesPerSecond(governor.relief))
            hottest = max(hottest, board.celsius)
            noteAction()
            clock = clock.advanced(by: .seconds(1))
            second += 1
        }
    }

    private mutating func noteAction() {
        guard board.celsius >= SimulatedBoard.passive else { return hotSince = nil }
        let since = hotSince ?? second
        hotSince = since
        if governor.level < .serious { slowestAction = max(slowestAction, second - since + 1) }
    }

    /// The largest number of changes of direction within ten minutes.
    var oscillations: Int {
        let turns = zip(moves, moves.dropFirst()).filter { $0.direction != $1.direction }.map { $1.second }
        return turns.map { turn in turns.filter { $0 >= turn && $0 < turn + 600 }.count }.max() ?? 0
    }

    /// The highest frame rate among the policy's settings under which the board stays below the passive trip for ever.
    var bestFixed: Double {
        governor.policy.steps.indices.map { governor.policy.relief(ofFirst: $0) }
            .filter { board.last(under: $0) < SimulatedBoard.passive }
            .map(SimulatedBoard.framesPerSecond).max() ?? 0
    }
}
