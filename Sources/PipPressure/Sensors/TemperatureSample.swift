/// A temperature with its limits.
package struct TemperatureSample: Sendable, Hashable {
    package var celsius: Double
    package var limits: TemperatureLimits
    package var factor: PressureFactor
    /// True for processors that run up to their limit by design as long as nothing throttles.
    package var runsToItsLimit: Bool
    /// True while the hardware's critical alarm is raised.
    ///
    /// Some alarms stay raised until they are cleared.
    package var hasAlarm: Bool
    /// The policy's thresholds for this thermometer; nil uses the hardware's limits.
    package var thresholds: LevelThresholds?

    package init(
        celsius: Double, limits: TemperatureLimits = TemperatureLimits(),
        factor: PressureFactor = .systemTemperature, runsToItsLimit: Bool = false, hasAlarm: Bool = false
    ) {
        self.celsius = celsius
        self.limits = limits
        self.factor = factor
        self.runsToItsLimit = runsToItsLimit
        self.hasAlarm = hasAlarm
    }
}

/// The temperatures at which the kernel or the hardware acts, in degrees Celsius.
package struct TemperatureLimits: Sendable, Hashable {
    /// A temperature, and the distance below it at which the kernel considers it left.
    package struct Trip: Sendable, Hashable {
        package var celsius: Double
        package var hysteresis: Double

        package init(_ celsius: Double, hysteresis: Double = 0) {
            self.celsius = celsius
            self.hysteresis = hysteresis
        }
    }

    /// The temperature from which the kernel slows the machine down.
    package var passive: Trip?
    /// The temperature from which the kernel warns.
    package var hot: Trip?
    /// The temperature at which the kernel switches the machine off.
    package var critical: Trip?

    package init(passive: Trip? = nil, hot: Trip? = nil, critical: Trip? = nil) {
        self.passive = passive
        self.hot = hot
        self.critical = critical
    }

    /// True when the hardware states no limit.
    package var isEmpty: Bool { passive == nil && hot == nil && critical == nil }

    /// Adds a limit of a kind that may occur several times.
    ///
    /// The lowest counts.
    mutating func add(_ trip: Trip, at limit: WritableKeyPath<TemperatureLimits, Trip?>) {
        // Unset trips read as 0 or less, and firmware invents trips that no machine could reach.
        guard trip.celsius > 0, trip.celsius <= 150 else { return }
        if let known = self[keyPath: limit], known.celsius <= trip.celsius { return }
        self[keyPath: limit] = trip
    }
}
