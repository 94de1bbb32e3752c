internal import PipFrames

extension Verdict {
    /// Judges a temperature by the thermometer's thresholds, its rise and its alarm.
    static func temperature(
        _ sample: TemperatureSample, _ memory: inout SourceMemory, _ context: AssessmentContext
    ) -> Verdict {
        let thresholds = PressureThresholds.temperature(sample)
        let celsius = sample.celsius
        memory.temperatures.add(celsius, at: context.now)
        memory.recent.add(celsius, at: context.now)
        var reached = thresholds.level(of: celsius)
        var kept = thresholds.level(of: celsius, leaving: true)
        var detail = degrees(celsius) + (sample.thresholds?.text ?? sample.limits.text)
        if let seconds = secondsToCritical(sample, reached, &memory, now: context.now) {
            reached = .shutdown
            detail += ", critical in \(seconds) s"
        }
        if sample.hasAlarm, reached >= .serious {
            // The temperature supports the alarm. An alarm at a lower temperature may be an old alarm that was never
            // cleared.
            reached = max(reached, .critical)
            detail += ", alarm"
        }
        if sample.runsToItsLimit, sample.thresholds == nil {
            // A processor that runs up to its limit by design counts as at most fair unless it throttles.
            let highest = max(.fair, context.throttling)
            reached = min(reached, highest)
            kept = min(kept, highest)
        }
        return Verdict(sample.factor, reached, kept: kept, detail)
    }

    /// The seconds until a steadily rising temperature reaches the critical trip point.
    ///
    /// Nil at any level but serious and critical, without a critical trip point, when the trip point is too far to
    /// matter, and until the rise has lasted for a while.
    private static func secondsToCritical(
        _ sample: TemperatureSample, _ level: PressureLevel, _ memory: inout SourceMemory, now: Timestamp
    ) -> Int? {
        guard (.serious..<PressureLevel.shutdown).contains(level), let critical = sample.limits.critical?.celsius,
            let rise = memory.temperatures.steadyRisePerSecond, rise > 0,
            memory.temperatures.hasRisen(within: PressureThresholds.projectionSettling),
            // A thermometer counts in steps, so a rise that has begun need not show in every sample.
            (critical - sample.celsius) / rise
                <= PressureThresholds.projection.inSeconds * (memory.projectedSince == nil ? 1 : 1.5)
        else {
            memory.projectedSince = nil
            return nil
        }
        let since = memory.projectedSince ?? now
        memory.projectedSince = since
        // Two jumps of the value look like a steady rise until the second jump has passed.
        guard since.duration(to: now) >= PressureThresholds.projectionSettling else { return nil }
        return Int((critical - sample.celsius) / rise)
    }

    /// Judges a cooling device that throttles a processor or GPU.
    static func cooling(_ state: Int, of maximum: Int, baseline: Int, _ factor: PressureFactor) -> Verdict {
        var level = PressureLevel.nominal
        if state > baseline {
            level = Double(state) >= PressureThresholds.coolingCritical * Double(maximum) ? .critical : .serious
        }
        let detail = "\(state) of \(maximum)" + (baseline > 0 ? ", at least \(baseline) so far" : "")
        return Verdict(factor, level, state == 0 ? "off" : detail)
    }

    /// Judges a processor by the share of time in which it throttled itself.
    static func throttling(_ share: Double) -> Verdict {
        let level = max(share > 0 ? .fair : .nominal, PressureThresholds.throttling.level(of: share))
        return Verdict(.systemTemperature, level, "slowed down for \(percent(share)) of the last 10 s")
    }

    /// Judges a processor by the cap on its clock: fair if the cap was lowered recently, nominal otherwise.
    ///
    /// The kernel does not report who lowered the clock, so a cap alone is only a hint.
    static func frequencyCap(_ kilohertz: Int, baseline: Int) -> Verdict {
        let isCapped = kilohertz < baseline
        return Verdict(
            .systemTemperature, isCapped ? .fair : .nominal,
            isCapped
                ? "at most \(kilohertz / 1000) MHz, \(baseline / 1000) MHz before" : "\(kilohertz / 1000) MHz")
    }

    /// Judges a GPU by the reasons for its lowered clock.
    static func gpuClock(_ reasons: GPUClockReasons) -> Verdict {
        if reasons.contains(.hardwarePowerBrake) { return Verdict(.peakPower, .critical, "hardware power brake") }
        if reasons.contains(.hardwareThermal) {
            return Verdict(.gpuTemperature, .critical, "hardware thermal slowdown")
        }
        if reasons.contains(.hardwareSlowdown) { return Verdict(.gpuTemperature, .critical, "hardware slowdown") }
        if reasons.contains(.softwareThermal) { return Verdict(.gpuTemperature, .serious, "thermal slowdown") }
        if reasons.contains(.softwarePowerCap) { return Verdict(.peakPower, .fair, "at its power limit") }
        return Verdict(.gpuTemperature, .nominal, "not slowed down")
    }
}

extension LevelThresholds {
    /// The thresholds as text, to follow the temperature in a reading's detail.
    fileprivate var text: String {
        steps.map { ", \($0.level) from \(degrees($0.value))" }.joined() + " by the policy"
    }
}

extension TemperatureLimits {
    /// The limits as text, to follow the temperature in a reading's detail.
    fileprivate var text: String {
        let limits = [("passive", passive), ("hot", hot), ("critical", critical)]
        let known = limits.compactMap { name, trip in trip.map { "\(name) from \(degrees($0.celsius))" } }
        return known.isEmpty ? ", no limits known" : ", " + known.joined(separator: ", ")
    }
}
