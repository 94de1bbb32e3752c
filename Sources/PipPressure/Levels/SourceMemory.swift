internal import PipFrames

/// The state of one source between two samples.
struct SourceMemory: Sendable {
    var tracker = LevelTracker()
    /// Its last reading.
    var reading: PressureReading
    /// When it said something last, and since when it does not.
    var heard: Timestamp
    var silentSince: Timestamp?
    /// False for our own deadlines, and for sensors without limits to compare with.
    var tells = true

    /// Temperatures of the last seconds.
    var temperatures = Trail(PressureThresholds.projectionWindow)
    /// Temperatures of the last half minute.
    var recent = Trail(PressureThresholds.trendWindow)
    /// Since when they have been on their way to the critical trip.
    var projectedSince: Timestamp?
    /// When under-voltage began, each time.
    var events: [Timestamp] = []
    /// The start of the condition that it reports.
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

/// Facts of other sources that an assessment depends on.
struct AssessmentContext {
    let now: Timestamp
    /// The part of the last frames that missed their deadlines, from 0 to 1.
    var misses = 0.0
    /// The level of the processors' throttle counters.
    var throttling = PressureLevel.nominal
    /// The processor's or board's highest temperature, and whether it has been rising.
    var hottest: Double?
    var isRising = false
}
