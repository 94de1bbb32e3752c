internal import PipFrames

extension Verdict {
    /// Judges the flags of a Raspberry Pi's firmware: under-voltage, throttling, and the soft temperature limit.
    static func firmware(
        _ flags: FirmwareFlags, _ memory: inout SourceMemory, _ context: AssessmentContext
    ) -> Verdict {
        let voltage = underVoltage(flags.contains(.underVoltage), &memory, now: context.now)
        let isThrottled = !flags.isDisjoint(with: [.throttled, .frequencyCapped])
        // Throttling during under-voltage counts as under-voltage, not as heat.
        let isHot = isThrottled && !flags.contains(.underVoltage)
        memory.since = isHot ? memory.since ?? context.now : nil
        var heat = Verdict(.systemTemperature, .nominal, "not throttled")
        if let since = memory.since {
            let isLong = since.duration(to: context.now) > PressureThresholds.firmwareThrottling
            heat = Verdict(.systemTemperature, isLong ? .critical : .serious, "throttled")
        }
        if flags.contains(.softTemperatureLimit) {
            let limit = softLimit(context)
            if limit.reached > heat.reached { heat = limit }
        }
        return voltage.reached >= heat.reached && voltage.reached > .nominal ? voltage : heat
    }

    private static func softLimit(_ context: AssessmentContext) -> Verdict {
        let celsius = context.hottest ?? 0
        var level = PressureLevel.serious
        if celsius >= PressureThresholds.softLimitCritical { level = .critical }
        if celsius >= PressureThresholds.softLimitShutdown, context.isRising { level = .shutdown }
        return Verdict(.systemTemperature, level, "soft temperature limit")
    }

    /// Judges a power supply by how often and for how long its voltage is too low.
    static func underVoltage(_ isLow: Bool, _ memory: inout SourceMemory, now: Timestamp) -> Verdict {
        memory.events.removeAll { $0.duration(to: now) > PressureThresholds.underVoltageWindow }
        if isLow, memory.voltageLowSince == nil { memory.events.append(now) }
        memory.voltageLowSince = isLow ? memory.voltageLowSince ?? now : nil
        let isLong = memory.voltageLowSince.map { $0.duration(to: now) >= PressureThresholds.underVoltageCritical }
        if isLong == true { return Verdict(.peakPower, .critical, "under-voltage for 10 s and more") }
        let count = memory.events.count
        guard count > 0 || isLow else { return Verdict(.peakPower, .nominal, "voltage in order") }
        let level = count >= PressureThresholds.underVoltageSerious ? PressureLevel.serious : .fair
        return Verdict(.peakPower, level, "under-voltage \(count == 1 ? "once" : "\(count) times") in the last minute")
    }

    /// Judges a discharging battery by its charge; a battery that does not discharge is nominal.
    static func battery(_ percent: Double, isDischarging: Bool) -> Verdict {
        guard isDischarging else { return Verdict(.batteryStress, .nominal, "\(Int(percent)) %, not discharging") }
        let used = 100 - percent
        return Verdict(
            .batteryStress, PressureThresholds.battery.level(of: used),
            kept: PressureThresholds.battery.level(of: used, leaving: true), "\(Int(percent)) %, discharging")
    }
}
