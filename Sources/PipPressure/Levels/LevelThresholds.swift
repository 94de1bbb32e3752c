/// From which value on a source means which level; nil where it never does.
public struct LevelThresholds: Sendable, Hashable {
    public var fair: Double?
    public var serious: Double?
    public var critical: Double?
    public var shutdown: Double?
    /// How far a value has to fall below a threshold before its level is left.
    var hysteresis: [PressureLevel: Double] = [:]

    /// A level's threshold is not below that of a lower level; ``PressurePolicy`` refuses others.
    public init(
        fair: Double? = nil, serious: Double? = nil, critical: Double? = nil, shutdown: Double? = nil
    ) {
        self.init(fair: fair, serious: serious, critical: critical, shutdown: shutdown, hysteresis: [:])
    }

    init(
        fair: Double? = nil, serious: Double? = nil, critical: Double? = nil, shutdown: Double? = nil,
        hysteresis: [PressureLevel: Double]
    ) {
        self.fair = fair
        self.serious = serious
        self.critical = critical
        self.shutdown = shutdown
        self.hysteresis = hysteresis
    }

    /// Those that there are, the lowest level first.
    var steps: [(level: PressureLevel, value: Double)] {
        let all: [(PressureLevel, Double?)] = [
            (.fair, fair), (.serious, serious), (.critical, critical), (.shutdown, shutdown),
        ]
        return all.compactMap { level, value in value.map { (level, $0) } }
    }

    /// The highest level whose threshold a value reaches.
    ///
    /// With `leaving` the thresholds for leaving a level count, which lie lower.
    func level(of value: Double, leaving: Bool = false) -> PressureLevel {
        steps.last { value >= $0.value - (leaving ? hysteresis[$0.level] ?? 0 : 0) }?.level ?? .nominal
    }
}
