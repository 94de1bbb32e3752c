/// A temperature, with the limits of its thermometer.
package struct TemperatureSample: Sendable, Hashable {
    package var celsius: Double
    package var limits: TemperatureLimits
    package var factor: PressureFactor
    /// True for processors that run up to their limit by design, so that a high temperature alone is at most fair.
    package var runsToItsLimit: Bool
    /// True while the hardware's emergency or critical alarm is raised.
    ///
    /// Some alarms stay raised until software clears them.
    package var hasAlarm: Bool
    /// The policy's thresholds for this thermometer; nil when the policy has none.
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

/// The limits of a thermometer, in degrees Celsius.
package struct TemperatureLimits: Sendable, Hashable {
    /// A trip point: its temperature, and its hysteresis, by which a temperature must fall below the trip point before
    /// the kernel considers the trip point left.
    package struct Trip: Sendable, Hashable {
        package var celsius: Double
        package var hysteresis: Double

        package init(_ celsius: Double, hysteresis: Double = 0) {
            self.celsius = celsius
            self.hysteresis = hysteresis
        }
    }

    /// The temperature from which the kernel throttles the machine; nil for none.
    package var passive: Trip?
    /// The temperature from which the kernel warns; nil for none.
    package var hot: Trip?
    /// The temperature at which the kernel or the hardware switches the machine off, or the highest temperature that a
    /// chip or a battery allows; nil for none.
    package var critical: Trip?

    package init(passive: Trip? = nil, hot: Trip? = nil, critical: Trip? = nil) {
        self.passive = passive
        self.hot = hot
        self.critical = critical
    }

    /// True when the hardware reports no limit.
    package var isEmpty: Bool { passive == nil && hot == nil && critical == nil }

    /// Adds a limit of a kind that may occur several times.
    ///
    /// The lowest limit counts.
    mutating func add(_ trip: Trip, at limit: WritableKeyPath<TemperatureLimits, Trip?>) {
        // Unset trip points read as 0 or less, and some firmware reports trip points that no machine could reach.
        guard trip.celsius > 0, trip.celsius <= 150 else { return }
        if let known = self[keyPath: limit], known.celsius <= trip.celsius { return }
        self[keyPath: limit] = trip
    }
}
