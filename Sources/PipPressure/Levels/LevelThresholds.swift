/// The sensor values at which each pressure level begins; nil for a level without a threshold.
///
/// Set thresholds for a thermometer whose own limits are wrong.
public struct LevelThresholds: Sendable, Hashable {
    /// The value at which ``PressureLevel/fair`` begins; nil for no threshold.
    public var fair: Double?
    /// The value at which ``PressureLevel/serious`` begins; nil for no threshold.
    public var serious: Double?
    /// The value at which ``PressureLevel/critical`` begins; nil for no threshold.
    public var critical: Double?
    /// The value at which ``PressureLevel/shutdown`` begins; nil for no threshold.
    public var shutdown: Double?
    /// The hysteresis of each level: how far the value must fall below the threshold before the level ends.
    var hysteresis: [PressureLevel: Double] = [:]

    /// Creates thresholds, which must not fall from level to level; otherwise, ``PressurePolicy`` throws an error.
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

    /// The thresholds that are not nil, the lowest level first.
    var steps: [(level: PressureLevel, value: Double)] {
        let all: [(PressureLevel, Double?)] = [
            (.fair, fair), (.serious, serious), (.critical, critical), (.shutdown, shutdown),
        ]
        return all.compactMap { level, value in value.map { (level, $0) } }
    }

    /// The highest level whose threshold the value reaches; nominal when the value reaches none.
    ///
    /// `leaving`: True to subtract each level's hysteresis from its threshold.
    func level(of value: Double, leaving: Bool = false) -> PressureLevel {
        steps.last { value >= $0.value - (leaving ? hysteresis[$0.level] ?? 0 : 0) }?.level ?? .nominal
    }
}
