internal import PipFrames

/// What is remembered of one source between two samples.
struct SourceMemory: Sendable {
    var tracker = LevelTracker()
    /// What it said last.
    var reading: PressureReading
    /// When it said something last, and since when it does not.
    var heard: Timestamp
    var silentSince: Timestamp?
    /// Whether it tells anything of the machine.
    var tells = true

    /// Temperatures of the last seconds.
    var temperatures = Trail(PressureThresholds.projectionWindow)
    /// Temperatures of the last half minute.
    var recent = Trail(PressureThresholds.trendWindow)
    /// Since when they have been on their way to the critical trip.
    var projectedSince: Timestamp?
    /// When under-voltage began, each time.
    var events: [Timestamp] = []
    /// Since when what it tells of is going on.
    var since: Timestamp?
    var voltageLowSince: Timestamp?
}

/// What one sample amounts to.
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

/// What sources know of each other.
struct AssessmentContext {
    let now: Timestamp
    /// The part of the last frames that missed their deadlines, from 0 to 1.
    var misses = 0.0
    /// What the processors' throttle counters amount to.
    var throttling = PressureLevel.nominal
    /// The processor's or board's highest temperature, and whether it has been rising.
    var hottest: Double?
    var isRising = false
}
