internal import PipFrames

/// A step of a ``PressurePolicy``: a mitigation, and the level and delay after which it is taken.
public struct PressureStep: Sendable, Hashable, CustomStringConvertible {
    /// The lowest level at which the mitigation is taken.
    public var level: PressureLevel
    /// The mitigation.
    public var mitigation: PressureMitigation
    /// The time for which the level has to last before.
    public var delay: Duration

    /// A step that takes `mitigation` once `level` or a higher one has lasted for `delay`.
    public init(at level: PressureLevel, _ mitigation: PressureMitigation, after delay: Duration = .zero) {
        self.level = level
        self.mitigation = mitigation
        self.delay = delay
    }

    public var description: String {
        "\(level): \(mitigation)\(delay > .zero ? ", after \(delay)" : "")"
    }
}

/// A session's response to pressure: mitigations in the order in which they are taken, and the timing of their
/// reversal.
///
/// Set one of the presets, or your own, in the session's options.
public struct PressurePolicy: Sendable, Hashable {
    /// The name of a preset; nil for another policy.
    public var name: String?
    /// The steps in the order in which they are taken.
    ///
    /// They are taken back in reverse.
    public var steps: [PressureStep]
    /// The timing of the mitigations' reversal.
    public var timing: PressureTiming
    /// The thresholds of thermometers in degrees Celsius, which replace their own limits.
    ///
    /// The keys are the thermometers' names, listed by `pip-compose doctor`: `thermal_zone0 (cpu-thermal)`, or in short
    /// `thermal_zone0` or `cpu-thermal`; `coretemp` stands for all thermometers of such chips.
    public var thresholds: [String: LevelThresholds] = [:]

    /// - Throws: ``PressurePolicyError`` when the steps are out of order or impossible.
    public init(
        name: String? = nil, steps: [PressureStep], timing: PressureTiming = PressureTiming(),
        thresholds: [String: LevelThresholds] = [:]
    ) throws(PressurePolicyError) {
        self.init(unchecked: steps, name, timing)
        self.thresholds = thresholds
        try validate()
    }

    init(unchecked steps: [PressureStep], _ name: String?, _ timing: PressureTiming = PressureTiming()) {
        self.name = name
        self.steps = steps
        self.timing = timing
    }

    /// The combined effect of the first `count` steps.
    package func relief(ofFirst count: Int) -> PressureRelief {
        relief(of: Set(steps.indices.prefix(count)))
    }

    func relief(of taken: Set<Int>) -> PressureRelief {
        var relief = PressureRelief()
        for index in steps.indices where taken.contains(index) { relief.take(steps[index].mitigation) }
        return relief
    }

    private func validate() throws(PressurePolicyError) {
        for (index, step) in steps.enumerated() {
            if step.level == .nominal { throw .nominalStep(step) }
            if step.delay < .zero { throw .negativeDelay(step) }
            if index > 0, steps[index - 1].level > step.level { throw .outOfOrder(steps[index - 1], step) }
            if case .effects(.full) = step.mitigation { throw .noRelief(step) }
            if case .bitRate(let share) = step.mitigation, !(0.05..<1).contains(share) { throw .badShare(step) }
            if step.mitigation.interruptsCamera, step.level < .critical { throw .tooEarly(step) }
        }
        try timing.validate()
        for (sensor, thresholds) in thresholds.sorted(by: { $0.key < $1.key }) { try thresholds.validate(for: sensor) }
    }
}

/// The timing by which mitigations are taken back.
///
/// Change it for a machine that cools slowly.
public struct PressureTiming: Sendable, Hashable {
    /// The least time between two mitigations that are taken back.
    public var restoreInterval = Duration.seconds(10)
    /// The least time for which a mitigation stays in force.
    public var dwell = Duration.seconds(20)
    /// The time for which the level has to be fair or lower before a camera is switched on again.
    public var cameraHold = Duration.seconds(60)
    /// The time after a mitigation was taken back in which pressure that is too high again counts as a relapse.
    public var relapseWindow = Duration.seconds(1800)
    /// The time for which nothing is taken back after a relapse.
    ///
    /// It doubles after each further one.
    public var relapseHold = Duration.seconds(600)
    /// The longest time for which nothing is taken back.
    ///
    /// After a calm of this length, relapses are forgotten.
    public var longestHold = Duration.seconds(1800)

    /// The default timing.
    public init() {}

    /// The time for which nothing is taken back after the latest of several relapses.
    func hold(afterRelapses count: Int) -> Duration {
        min(relapseHold * (1 << min(max(count - 1, 0), 16)), longestHold)
    }

    func validate() throws(PressurePolicyError) {
        let all = [restoreInterval, dwell, cameraHold, relapseWindow, relapseHold, longestHold]
        guard all.allSatisfy({ $0 >= .zero }) else { throw .badTiming("a time is negative") }
        guard relapseHold <= longestHold else {
            throw .badTiming("after a relapse: \(relapseHold) is longer than the longest hold, \(longestHold)")
        }
    }
}

extension LevelThresholds {
    fileprivate func validate(for sensor: String) throws(PressurePolicyError) {
        if steps.isEmpty { throw .badThresholds(sensor, "there are none") }
        for (level, value) in steps where !Plausibility.possible.contains(value) {
            let range = "\(degrees(Plausibility.possible.lowerBound)) to \(degrees(Plausibility.possible.upperBound))"
            throw .badThresholds(sensor, "\(level) is at \(value) °C, and readings are believed from \(range)")
        }
        for (lower, higher) in zip(steps, steps.dropFirst()) where lower.value > higher.value {
            throw .badThresholds(
                sensor,
                "\(higher.level) begins at \(degrees(higher.value)), below \(lower.level) at \(degrees(lower.value))")
        }
    }
}

/// The fault of an invalid policy, for a message to the person who wrote it.
public enum PressurePolicyError: Error, Equatable, CustomStringConvertible {
    /// A step of a lower level comes after one of a higher level.
    case outOfOrder(PressureStep, PressureStep)
    /// A step at a level without pressure.
    case nominalStep(PressureStep)
    case negativeDelay(PressureStep)
    /// A step that changes nothing.
    case noRelief(PressureStep)
    /// A step with an invalid share of the bit rate, or one too small for any picture.
    case badShare(PressureStep)
    /// A step that interrupts a camera below critical.
    case tooEarly(PressureStep)
    case badTiming(String)
    /// The thresholds of a sensor, which are out of order or beyond its reach.
    case badThresholds(String, String)

    public var description: String {
        switch self {
        case .outOfOrder(let before, let after):
            "the step \"\(after)\" comes after \"\(before)\", which waits for a higher level: put the lower levels first"
        case .nominalStep(let step):
            "the step \"\(step)\" would always be taken: give it fair, serious, critical or shutdown"
        case .negativeDelay(let step): "the step \"\(step)\" waits for less than no time"
        case .noRelief(let step): "the step \"\(step)\" gives nothing up: effects are reduced, cheap or none"
        case .badShare(let step): "the step \"\(step)\": a share of the bit rate is 5 % to 99 %"
        case .tooEarly(let step):
            "the step \"\(step)\" interrupts a camera, which is done from critical on: give it critical or shutdown"
        case .badTiming(let reason): reason
        case .badThresholds(let sensor, let reason): "thresholds of \(sensor): \(reason)"
        }
    }
}
