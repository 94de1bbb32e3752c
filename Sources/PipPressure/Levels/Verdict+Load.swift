internal import PipFrames

extension Verdict {
    /// Judges the frame loop by its missed deadlines, which show overload best and exist on every machine.
    static func deadlines(_ misses: Double, _ memory: inout SourceMemory, now: Timestamp) -> Verdict {
        let thresholds = PressureThresholds.misses
        var reached = thresholds.level(of: misses)
        var kept = thresholds.level(of: misses, leaving: true)
        let limit = PressureThresholds.missesCritical
        memory.since = misses >= limit ? memory.since ?? now : nil
        if let since = memory.since, since.duration(to: now) >= PressureThresholds.missesCriticalTime {
            reached = .critical
        }
        if misses >= limit - (thresholds.hysteresis[.critical] ?? 0) { kept = .critical }
        return Verdict(.cpuPressure, reached, kept: kept, "\(percent(misses)) of frames missed")
    }

    /// Judges the share of time in which tasks wait for a resource.
    static func stall(_ resource: StallResource, some: Double, full: Double, misses: Double) -> Verdict {
        switch resource {
        case .cpu:
            // Waiting tasks are harmless while this program's frames meet their deadlines.
            let highest = misses >= PressureThresholds.processorStallsMisses ? PressureLevel.serious : .fair
            let thresholds = PressureThresholds.processorStalls
            return Verdict(
                .cpuPressure, min(highest, thresholds.level(of: some)),
                kept: min(highest, thresholds.level(of: some, leaving: true)),
                "some tasks wait \(tenths(some)) % of the time")
        case .memory:
            return stalled(.memoryPressure, full, PressureThresholds.memoryStalls)
        case .io:
            return stalled(.ioPressure, full, PressureThresholds.diskStalls)
        }
    }

    private static func stalled(_ factor: PressureFactor, _ full: Double, _ thresholds: LevelThresholds) -> Verdict {
        Verdict(
            factor, thresholds.level(of: full), kept: thresholds.level(of: full, leaving: true),
            "all tasks wait \(tenths(full)) % of the time")
    }
}
