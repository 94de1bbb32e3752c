package import PipFrames

/// Maps samples of the sensors and of the frame loop to pressure levels.
///
/// The assessment keeps earlier samples, for hysteresis, for confirmation, and for sensors that are silent for a while.
/// The governor decides on the response to a level, and on the delay after a level ends.
package struct PressureAssessment: Sendable {
    /// The name of the source that reports the frame loop's missed deadlines.
    package static let deadlines = "deadlines"

    private var memories: [String: SourceMemory] = [:]
    private var due = Trail(PressureThresholds.missesWindow)
    private var missed = Trail(PressureThresholds.missesWindow)
    private var hottest = Trail(PressureThresholds.softLimitRise)

    package init() {}

    /// True while a source's higher level waits for confirmation by a second sample.
    package var isUnsure: Bool { memories.values.contains(where: \.tracker.isUnsure) }

    /// Assesses one sample of every sensor.
    ///
    /// - Parameters:
    ///   - samples: The sensors' samples; a sensor that gave no value has none.
    ///   - load: The frame loop's due frames and missed deadlines since the last call.
    ///   - now: The time of the samples, later than in the last call.
    /// - Returns: The level of each sensor and of the frame loop, from which the machine's level follows.
    package mutating func assess(
        _ samples: [SensorSample], load: LoadSample, now: Timestamp
    ) -> PressureState {
        let context = context(of: samples, load, now: now)
        for sample in samples {
            update(sample.source, now: now, hasLimits: sample.value.hasLimits) { memory in
                sample.value.verdict(&memory, context)
            }
        }
        update(Self.deadlines, now: now, hasLimits: false) { memory in
            Verdict.deadlines(context.misses, &memory, now: now)
        }
        forgetSilent(now: now)
        return PressureState(
            readings: memories.sorted { $0.key < $1.key }.map(\.value.reading),
            isKnown: memories.contains { $0.value.hasLimits })
    }

    private mutating func context(
        of samples: [SensorSample], _ load: LoadSample, now: Timestamp
    ) -> AssessmentContext {
        var context = AssessmentContext(now: now)
        due.add(Double(load.due), at: now)
        missed.add(Double(load.missed), at: now)
        context.misses = due.sum > 0 ? missed.sum / due.sum : 0
        for sample in samples {
            switch sample.value {
            case .throttling(let share):
                context.throttling = max(context.throttling, share > 0 ? .fair : .nominal)
                context.throttling = max(context.throttling, PressureThresholds.throttling.level(of: share))
            case .temperature(let temperature) where temperature.factor == .systemTemperature:
                context.hottest = max(context.hottest ?? -.infinity, temperature.celsius)
            default: break
            }
        }
        if let celsius = context.hottest {
            hottest.add(celsius, at: now)
            context.isRising = hottest.steadyRisePerSecond ?? 0 > 0
        }
        return context
    }

    private mutating func update(
        _ source: String, now: Timestamp, hasLimits: Bool, _ judge: (inout SourceMemory) -> Verdict
    ) {
        let blank = PressureReading(source: source, factor: .cpuPressure, level: .nominal, detail: "")
        var memory = memories[source] ?? SourceMemory(reading: blank, lastReading: now)
        let verdict = judge(&memory)
        memory.tracker.update(reached: verdict.reached, kept: verdict.kept)
        // A level that lasts only because of its hysteresis is falling.
        let trend =
            verdict.reached < memory.tracker.level
            ? .falling : memory.recent.trend(over: PressureThresholds.steadyRate)
        memory.reading = PressureReading(
            source: source, factor: verdict.factor, level: memory.tracker.level, detail: verdict.detail,
            trend: trend)
        memory.lastReading = now
        memory.silentSince = nil
        memory.hasLimits = hasLimits
        memories[source] = memory
    }

    /// Drops the last reading of a sensor that has been silent for a while.
    ///
    /// A reading of the level serious or above is kept for longer, so that a sensor that fails in the heat does not end
    /// the mitigations.
    private mutating func forgetSilent(now: Timestamp) {
        for (source, memory) in memories where memory.lastReading != now {
            let since = memory.silentSince ?? now
            let limit = memory.reading.level >= .serious ? PressureThresholds.hold : PressureThresholds.stale
            if since.duration(to: now) >= limit {
                memories[source] = nil
            } else if memory.silentSince == nil {
                memories[source]?.silentSince = now
                memories[source]?.reading.detail += "; the sensor has been silent since"
            }
        }
    }
}

extension SensorValue {
    /// False for a temperature without thresholds, true for every other value.
    fileprivate var hasLimits: Bool {
        guard case .temperature(let sample) = self else { return true }
        return !PressureThresholds.temperature(sample).steps.isEmpty
    }

    /// Determines the value's pressure level, with the reason.
    fileprivate func verdict(_ memory: inout SourceMemory, _ context: AssessmentContext) -> Verdict {
        switch self {
        case .temperature(let sample): .temperature(sample, &memory, context)
        case .cooling(let state, let maximum, let baseline, let factor):
            .cooling(state, of: maximum, baseline: baseline, factor)
        case .throttling(let share): .throttling(share)
        case .frequencyCap(let kilohertz, let baseline): .frequencyCap(kilohertz, baseline: baseline)
        case .firmware(let flags): .firmware(flags, &memory, context)
        case .underVoltage(let isLow): .underVoltage(isLow, &memory, now: context.now)
        case .gpuClock(let reasons): .gpuClock(reasons)
        case .battery(let percent, let isDischarging): .battery(percent, isDischarging: isDischarging)
        case .stall(let resource, let some, let full):
            .stall(resource, some: some, full: full, misses: context.misses)
        }
    }
}
