internal import PipFrames

/// The state that an assessment keeps for one sensor between samples.
struct SourceMemory: Sendable {
    var tracker = LevelTracker()
    /// The sensor's last reading.
    var reading: PressureReading
    var lastReading: Timestamp
    var silentSince: Timestamp?
    /// False for the frame loop's deadlines, and for sensors that have no limits to compare with.
    var hasLimits = true

    /// The temperatures within the window of the projection.
    var temperatures = Trail(PressureThresholds.projectionWindow)
    /// The temperatures within the window of the trend.
    var recent = Trail(PressureThresholds.trendWindow)
    /// The time since which the temperature has been projected to reach the critical trip point soon; nil without such
    /// a projection.
    var projectedSince: Timestamp?
    /// The times within `underVoltageWindow` at which under-voltage began.
    var events: [Timestamp] = []
    /// The time since which the reported condition, such as throttling, has lasted; nil while there is none.
    var since: Timestamp?
    var voltageLowSince: Timestamp?
}

/// The assessment of one sample: its level, cause and reason.
struct Verdict {
    var factor: PressureFactor
    /// The highest level whose threshold the sample reaches.
    var reached: PressureLevel
    /// The highest level that hysteresis keeps.
    var kept: PressureLevel
    var detail: String

    init(_ factor: PressureFactor, _ reached: PressureLevel, kept: PressureLevel? = nil, _ detail: String) {
        self.factor = factor
        self.reached = reached
        self.kept = max(reached, kept ?? .nominal)
        self.detail = detail
    }
}

/// The readings of other sensors that influence the assessment of one sensor.
struct AssessmentContext {
    let now: Timestamp
    /// The share of recent frames that missed their deadlines, from 0 to 1.
    var misses = 0.0
    /// The present pressure level of the processors' throttle counters.
    var throttling = PressureLevel.nominal
    /// The highest temperature of processors and board in degrees Celsius; nil without a thermometer.
    ///
    /// `isRising` is true when this temperature has been rising.
    var hottest: Double?
    var isRising = false
}
