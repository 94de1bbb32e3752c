internal import PipFrames

/// The state of one sensor between two samples.
struct SourceMemory: Sendable {
    var tracker = LevelTracker()
    /// The sensor's last reading.
    var reading: PressureReading
    /// The moment of the last reading, and the moment since which there is none.
    var lastReading: Timestamp
    var silentSince: Timestamp?
    /// False for our own deadlines, and for sensors without limits to compare with.
    var hasLimits = true

    /// The temperatures of the last seconds.
    var temperatures = Trail(PressureThresholds.projectionWindow)
    /// The temperatures of the last half minute.
    var recent = Trail(PressureThresholds.trendWindow)
    /// The moment since which the temperatures have been rising towards the critical trip.
    var projectedSince: Timestamp?
    /// The moments at which under-voltage began.
    var events: [Timestamp] = []
    /// The beginning of the condition that the sensor reports.
    var since: Timestamp?
    var voltageLowSince: Timestamp?
}

/// The assessment of one sample.
struct Verdict {
    var factor: PressureFactor
    /// The highest level whose condition is met.
    var reached: PressureLevel
    /// The highest level that is not left yet.
    var kept: PressureLevel
    var detail: String

    init(_ factor: PressureFactor, _ reached: PressureLevel, kept: PressureLevel? = nil, _ detail: String) {
        self.factor = factor
        self.reached = reached
        self.kept = max(reached, kept ?? .nominal)
        self.detail = detail
    }
}

/// The readings of other sensors on which an assessment depends.
struct AssessmentContext {
    let now: Timestamp
    /// The share of the last frames that missed their deadlines, from 0 to 1.
    var misses = 0.0
    /// The level of the processors' throttle counters.
    var throttling = PressureLevel.nominal
    /// The highest temperature of processors and board, and true when it has been rising.
    var hottest: Double?
    var isRising = false
}
