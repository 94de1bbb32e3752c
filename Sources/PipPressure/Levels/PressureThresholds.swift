/// All thresholds of the levels.
///
/// They are this project's choice. Thresholds of temperatures are relative to the trip points of kernel and hardware,
/// because every board has its own.
package enum PressureThresholds {
    // Temperatures, in degrees Celsius, relative to the passive trip P, the hot one H and the critical one C.
    static let fairBelowPassive = 8.0
    static let criticalAbovePassive = 5.0
    static let criticalBelowCritical = 10.0
    static let shutdownBelowCritical = 5.0
    /// The distance of an assumed passive trip below the critical one, where there is no passive trip.
    static let passiveBelowCritical = 15.0
    static let passiveBelowHot = 5.0
    static let temperatureHysteresis = 3.0
    /// The time before the critical trip at which a rising temperature counts as shutdown.
    static let projection = Duration.seconds(10)
    static let projectionWindow = Duration.seconds(5)
    /// The time for which the projection has to hold.
    static let projectionSettling = Duration.seconds(2)
    /// The rate in degrees a second below which a temperature is steady, and the time of its measurement.
    static let steadyRate = 0.008
    static let trendWindow = Duration.seconds(30)
    /// A camera's sensor, where it has no trips of its own.
    static let camera = LevelThresholds(
        fair: 70, serious: 80, critical: 90, shutdown: 100, hysteresis: steady(temperatureHysteresis))

    /// A cooling device, by the share of its range that it uses more than at the start.
    static let coolingCritical = 0.5
    /// A processor's throttled share of the last ten seconds.
    ///
    /// Fair is any share above 0.
    static let throttling = LevelThresholds(serious: 0.1, critical: 0.5)
    static let throttlingWindow = Duration.seconds(10)

    /// The time for which a cap of a processor's clock counts as pressure.
    ///
    /// An older cap is an administrator's choice.
    static let capWindow = Duration.seconds(60)

    /// A Raspberry Pi's soft temperature limit, with the processor's temperature.
    static let softLimitCritical = 82.0
    static let softLimitShutdown = 85.0
    static let softLimitRise = Duration.seconds(10)
    /// The duration of throttling by firmware that is critical.
    static let firmwareThrottling = Duration.seconds(30)
    /// Under-voltage: the number of events within the window that is serious, and the duration that is critical.
    static let underVoltageSerious = 3
    static let underVoltageWindow = Duration.seconds(60)
    static let underVoltageCritical = Duration.seconds(10)

    /// A battery's discharge, in percent.
    static let battery = LevelThresholds(fair: 80, serious: 90, critical: 95, shutdown: 98, hysteresis: steady(1))

    /// The share of the last frames that missed their deadlines.
    static let misses = LevelThresholds(
        fair: 0.02, serious: 0.1, hysteresis: [.fair: 0.005, .serious: 0.02, .critical: 0.05])
    static let missesWindow = Duration.seconds(5)
    static let missesCritical = 0.4
    static let missesCriticalTime = Duration.seconds(10)

    /// Stalls, in percent of ten seconds.
    static let processorStalls = LevelThresholds(
        fair: 40, serious: 70, hysteresis: [.fair: 8, .serious: 14])
    /// The share of missed deadlines below which processor stalls are not serious.
    static let processorStallsMisses = 0.05
    static let memoryStalls = LevelThresholds(
        fair: 2, serious: 10, critical: 30, hysteresis: [.fair: 0.5, .serious: 2, .critical: 6])
    static let diskStalls = LevelThresholds(fair: 20, hysteresis: [.fair: 4])

    /// The time for which the last reading of a silent sensor counts.
    static let stale = Duration.seconds(10)
    /// The time for which the last reading of a silent sensor counts if it was serious or worse.
    static let hold = Duration.seconds(60)

    /// An equal hysteresis for all levels.
    private static func steady(_ hysteresis: Double) -> [PressureLevel: Double] {
        [.fair: hysteresis, .serious: hysteresis, .critical: hysteresis, .shutdown: hysteresis]
    }

    /// The thresholds of a temperature: the user's own, or those from its limits.
    package static func temperature(_ sample: TemperatureSample) -> LevelThresholds {
        if var own = sample.thresholds {
            own.hysteresis = steady(temperatureHysteresis)
            return own
        }
        let limits = sample.limits
        let critical = limits.critical?.celsius
        let hot = limits.hot?.celsius
        let passive =
            limits.passive?.celsius ?? critical.map { $0 - passiveBelowCritical } ?? hot.map { $0 - passiveBelowHot }
        guard let passive else { return sample.factor == .cameraTemperature ? camera : LevelThresholds() }
        let atHot = max(passive + criticalAbovePassive, hot ?? -.infinity)
        let atCritical = critical.map { $0 - criticalBelowCritical } ?? .infinity
        let below = { (trip: TemperatureLimits.Trip?) in max(temperatureHysteresis, trip?.hysteresis ?? 0) }
        return LevelThresholds(
            fair: passive - fairBelowPassive, serious: passive, critical: min(atHot, atCritical),
            shutdown: critical.map { $0 - shutdownBelowCritical },
            hysteresis: [
                .fair: below(limits.passive), .serious: below(limits.passive),
                .critical: below(atCritical <= atHot ? limits.critical : limits.hot ?? limits.passive),
                .shutdown: below(limits.critical),
            ])
    }
}
