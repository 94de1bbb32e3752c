/// The thresholds of all pressure levels.
///
/// This project has chosen the values. Most temperature thresholds are relative to the trip points of kernel and
/// hardware, because these differ from board to board.
package enum PressureThresholds {
    // Temperatures in degrees Celsius, relative to the zone's passive, hot and critical trip points.
    static let fairBelowPassive = 8.0
    static let criticalAbovePassive = 5.0
    static let criticalBelowCritical = 10.0
    static let shutdownBelowCritical = 5.0
    /// The temperature difference by which an assumed passive trip point lies below the critical trip point, in a zone
    /// without a passive trip point.
    static let passiveBelowCritical = 15.0
    static let passiveBelowHot = 5.0
    static let temperatureHysteresis = 3.0
    /// A rising temperature of the level serious or critical counts as shutdown when it would reach the critical trip
    /// point within this time.
    static let projection = Duration.seconds(10)
    static let projectionWindow = Duration.seconds(5)
    /// The time for which the projected rise must persist.
    static let projectionSettling = Duration.seconds(2)
    /// The rate in degrees a second below which a temperature is steady.
    ///
    /// The rate is measured over `trendWindow`.
    static let steadyRate = 0.008
    static let trendWindow = Duration.seconds(30)
    /// The thresholds of a camera sensor without trip points of its own.
    static let camera = LevelThresholds(
        fair: 70, serious: 80, critical: 90, shutdown: 100, hysteresis: steady(temperatureHysteresis))

    /// The state from which a cooling device counts as critical, as a share of the device's highest state.
    static let coolingCritical = 0.5
    /// The thresholds for the share of the last ten seconds in which a processor was throttled.
    ///
    /// Any share above 0 is at least fair.
    static let throttling = LevelThresholds(serious: 0.1, critical: 0.5)
    static let throttlingWindow = Duration.seconds(10)

    /// The time for which a new cap of the processor's clock counts as pressure.
    ///
    /// An older cap was presumably set by an administrator.
    static let capWindow = Duration.seconds(60)

    /// The machine's temperature, in °C, from which a Raspberry Pi's soft temperature limit counts as critical; from
    /// `softLimitShutdown`, a temperature that has been rising for `softLimitRise` counts as shutdown.
    static let softLimitCritical = 82.0
    static let softLimitShutdown = 85.0
    static let softLimitRise = Duration.seconds(10)
    /// The duration beyond which throttling by the firmware counts as critical.
    static let firmwareThrottling = Duration.seconds(30)
    /// Under-voltage is serious from this number of events within `underVoltageWindow`, and critical from a duration of
    /// `underVoltageCritical`.
    static let underVoltageSerious = 3
    static let underVoltageWindow = Duration.seconds(60)
    static let underVoltageCritical = Duration.seconds(10)

    /// The thresholds for the discharged part of a battery, in percent.
    static let battery = LevelThresholds(fair: 80, serious: 90, critical: 95, shutdown: 98, hysteresis: steady(1))

    /// The thresholds for the share of recent frames that missed their deadlines.
    static let misses = LevelThresholds(
        fair: 0.02, serious: 0.1, hysteresis: [.fair: 0.005, .serious: 0.02, .critical: 0.05])
    static let missesWindow = Duration.seconds(5)
    static let missesCritical = 0.4
    static let missesCriticalTime = Duration.seconds(10)

    /// The thresholds for processor stalls, in percent of the last ten seconds.
    static let processorStalls = LevelThresholds(
        fair: 40, serious: 70, hysteresis: [.fair: 8, .serious: 14])
    /// The share of missed deadlines from which processor stalls may count as serious.
    static let processorStallsMisses = 0.05
    static let memoryStalls = LevelThresholds(
        fair: 2, serious: 10, critical: 30, hysteresis: [.fair: 0.5, .serious: 2, .critical: 6])
    static let diskStalls = LevelThresholds(fair: 20, hysteresis: [.fair: 4])

    /// The time for which a silent sensor's last reading still counts.
    static let stale = Duration.seconds(10)
    /// The time for which a silent sensor's last reading still counts if it was serious or worse.
    static let hold = Duration.seconds(60)

    /// Assigns the same hysteresis to all levels.
    private static func steady(_ hysteresis: Double) -> [PressureLevel: Double] {
        [.fair: hysteresis, .serious: hysteresis, .critical: hysteresis, .shutdown: hysteresis]
    }

    /// The policy's thresholds of a thermometer, or else thresholds derived from the hardware's trip points.
    ///
    /// Without trip points, a camera's sensor has the thresholds ``camera``, and other thermometers have none.
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
