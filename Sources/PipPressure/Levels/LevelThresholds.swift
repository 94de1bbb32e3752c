/// The values of a sensor at which each level begins; nil for a level that it never reaches.
///
/// Set them for a thermometer whose own limits are wrong.
public struct LevelThresholds: Sendable, Hashable {
    /// The value at which ``PressureLevel/fair`` begins; nil when the level has no threshold.
    public var fair: Double?
    /// The value at which ``PressureLevel/serious`` begins.
    public var serious: Double?
    /// The value at which ``PressureLevel/critical`` begins.
    public var critical: Double?
    /// The value at which ``PressureLevel/shutdown`` begins.
    public var shutdown: Double?
    /// The hysteresis of each level: the distance below its threshold at which it is left.
    var hysteresis: [PressureLevel: Double] = [:]

    /// Thresholds that do not fall from level to level; ``PressurePolicy`` refuses others.
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

    /// The thresholds that are set, the lowest level first.
    var steps: [(level: PressureLevel, value: Double)] {
        let all: [(PressureLevel, Double?)] = [
            (.fair, fair), (.serious, serious), (.critical, critical), (.shutdown, shutdown),
        ]
        return all.compactMap { level, value in value.map { (level, $0) } }
    }

    /// The highest level whose threshold a value reaches.
    ///
    /// With `leaving`, the lower thresholds for leaving a level are used.
    func level(of value: Double, leaving: Bool = false) -> PressureLevel {
        steps.last { value >= $0.value - (leaving ? hysteresis[$0.level] ?? 0 : 0) }?.level ?? .nominal
    }
}
