internal import PipFrames

/// A step of a ``PressurePolicy``: a mitigation, with the level and the delay after which it is applied.
public struct PressureStep: Sendable, Hashable, CustomStringConvertible {
    /// The lowest pressure level at which the mitigation is applied.
    ///
    /// Only heat and power count for a mitigation that switches a camera off; load does not.
    public var level: PressureLevel
    /// The mitigation that the step applies.
    public var mitigation: PressureMitigation
    /// The time for which ``level`` or a higher level must last before the mitigation is applied.
    public var delay: Duration

    /// Creates a step that applies `mitigation` once `level` or a higher level has lasted for `delay`.
    public init(at level: PressureLevel, _ mitigation: PressureMitigation, after delay: Duration = .zero) {
        self.level = level
        self.mitigation = mitigation
        self.delay = delay
    }

    public var description: String {
        "\(level): \(mitigation)\(delay > .zero ? ", after \(delay)" : "")"
    }
}

/// A session's response to pressure: which mitigations it applies in which order, and when it reverses them.
///
/// Set a preset, or a policy of your own, in the session's options.
public struct PressurePolicy: Sendable, Hashable {
    /// The name of a preset or of a policy of your own; nil for a policy without a name.
    public var name: String?
    /// The steps, those of lower levels first.
    ///
    /// Steps that are due are applied in this order. Steps are reversed in the opposite order.
    public var steps: [PressureStep]
    /// The timing by which mitigations are reversed.
    public var timing: PressureTiming
    /// Thresholds in degrees Celsius that replace the limits of thermometers, keyed by the thermometers' names.
    ///
    /// `pip-compose doctor` lists the names: `thermal_zone0 (cpu-thermal)`, or in short `thermal_zone0` or
    /// `cpu-thermal`. The name `coretemp` means the thermometers of all `coretemp` chips.
    public var thresholds: [String: LevelThresholds] = [:]

    /// Creates a policy of your own.
    ///
    /// - Throws: ``PressurePolicyError`` when steps, thresholds or times are out of order, or a step or a value is not
    ///   possible.
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

    /// The combined effect of the mitigations in the first `count` steps.
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

/// The timing by which mitigations are reversed.
///
/// Change the timing for a machine that cools slowly.
public struct PressureTiming: Sendable, Hashable {
    /// The least time between two reversals.
    public var restoreInterval = Duration.seconds(10)
    /// The least time for which a mitigation stays in force.
    public var dwell = Duration.seconds(20)
    /// The time for which the level of heat and power must be fair or lower before a camera is switched on again.
    public var cameraHold = Duration.seconds(60)
    /// The time after a reversal in which renewed pressure counts as a relapse.
    public var relapseWindow = Duration.seconds(1800)
    /// The time after a relapse in which no mitigation is reversed.
    ///
    /// Doubles after each further relapse, up to ``longestHold``.
    public var relapseHold = Duration.seconds(600)
    /// The longest time after a relapse in which no mitigation is reversed.
    ///
    /// After a period of this length without pressure, and once no mitigation is in force, earlier relapses no longer
    /// count.
    public var longestHold = Duration.seconds(1800)

    /// Creates the default timing.
    public init() {}

    /// The time in which no mitigation is reversed, after `count` relapses.
    func hold(afterRelapses count: Int) -> Duration {
        min(relapseHold * (1 << min(max(count - 1, 0), 16)), longestHold)
    }

    func validate() throws(PressurePolicyError) {
        let all = [
            ("restore interval", restoreInterval), ("dwell", dwell), ("camera hold", cameraHold),
            ("relapse window", relapseWindow), ("relapse hold", relapseHold), ("longest hold", longestHold),
        ]
        if let (name, time) = all.first(where: { $0.1 < .zero }) {
            throw .badTiming("the \(name), \(time), is negative: make it 0 or more")
        }
        guard relapseHold <= longestHold else {
            throw .badTiming(
                "the relapse hold, \(relapseHold), is longer than the longest hold, \(longestHold): "
                    + "shorten the relapse hold, or lengthen the longest hold")
        }
    }
}

extension LevelThresholds {
    fileprivate func validate(for sensor: String) throws(PressurePolicyError) {
        if steps.isEmpty {
            throw .badThresholds(sensor, "at least one threshold is needed: fair, serious, critical or shutdown")
        }
        for (level, value) in steps where !Plausibility.possible.contains(value) {
            let range = "\(degrees(Plausibility.possible.lowerBound)) to \(degrees(Plausibility.possible.upperBound))"
            throw .badThresholds(sensor, "\(level) is at \(value) °C, but must be \(range)")
        }
        for (lower, higher) in zip(steps, steps.dropFirst()) where lower.value > higher.value {
            throw .badThresholds(
                sensor,
                "\(higher.level) begins at \(degrees(higher.value)), below \(lower.level) at \(degrees(lower.value))")
        }
    }
}

/// The fault of an invalid policy, as a message to the policy's author.
public enum PressurePolicyError: Error, Equatable, CustomStringConvertible {
    /// A step of a lower level follows a step of a higher level.
    case outOfOrder(PressureStep, PressureStep)
    /// A step is applied at nominal, the level without pressure.
    case nominalStep(PressureStep)
    case negativeDelay(PressureStep)
    /// A step's mitigation changes nothing.
    case noRelief(PressureStep)
    /// A step's share of the bit rate is below 0.05, or 1 or more.
    case badShare(PressureStep)
    /// A step interrupts a camera at a level below critical.
    case tooEarly(PressureStep)
    case badTiming(String)
    /// The thresholds of a thermometer are missing, out of order, or beyond the plausible range.
    case badThresholds(String, String)

    public var description: String {
        switch self {
        case .outOfOrder(let before, let after):
            "the step \"\(after)\" comes after \"\(before)\", which waits for a higher level: put the lower levels first"
        case .nominalStep(let step):
            "the step \"\(step)\" would always be taken: give it the level fair, serious, critical or shutdown"
        case .negativeDelay(let step):
            "the step \"\(step)\" has a negative delay, \(step.delay): make the delay 0 or more"
        case .noRelief(let step): "the step \"\(step)\" changes nothing: effects must be reduced, cheap or none"
        case .badShare(let step):
            "the step \"\(step)\": a share of the bit rate must be at least 5 %, and less than 100 %"
        case .tooEarly(let step):
            "the step \"\(step)\" interrupts a camera, which is done from critical on: "
                + "give it the level critical or shutdown"
        case .badTiming(let reason): reason
        case .badThresholds(let sensor, let reason): "thresholds of \(sensor): \(reason)"
        }
    }
}
