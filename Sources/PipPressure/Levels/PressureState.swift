/// The level of one sensor, with the measured value.
public struct PressureReading: Sendable, Hashable, CustomStringConvertible {
    /// The sensor's name, such as `thermal_zone0 (cpu-thermal)`; `deadlines` for the frame loop, and `pin` for a pinned
    /// level.
    public var source: String
    /// The cause of pressure that the sensor measures.
    public var factor: PressureFactor
    /// The sensor's pressure level, after hysteresis and, below critical, confirmation by a second sample.
    public var level: PressureLevel
    /// The measured value or condition: `82.5 °C, passive from 80.0 °C`.
    ///
    /// A temperature is followed by the thermometer's limits, or by the policy's thresholds.
    public var detail: String
    /// The direction of a temperature over about the last 30 seconds.
    ///
    /// Other values are steady. Any value is falling while its level lasts only because of the hysteresis.
    public var trend: PressureTrend

    package init(
        source: String, factor: PressureFactor, level: PressureLevel, detail: String, trend: PressureTrend = .steady
    ) {
        self.source = source
        self.factor = factor
        self.level = level
        self.detail = detail
        self.trend = trend
    }

    public var description: String { "\(source): \(detail)" }
}

/// The direction of a value over time, from which to judge whether pressure is about to end.
public enum PressureTrend: String, Sendable, Hashable {
    /// Pressure falls: a temperature falls, or only the hysteresis keeps the level.
    case falling
    case steady
    /// Pressure rises: a temperature rises.
    case rising
}

/// The machine's pressure level, with the readings of all sensors.
public struct PressureState: Sendable, Hashable {
    /// The highest level among the readings; nominal without readings.
    public var level: PressureLevel { readings.map(\.level).max() ?? .nominal }
    /// All readings, the highest level first, nominal ones included.
    public var readings: [PressureReading]
    /// False when no sensor has a value that can be compared with limits; the frame loop's own deadlines do not count.
    ///
    /// The level then says little about heat.
    public var isKnown: Bool

    /// Creates a state from readings in any order.
    package init(readings: [PressureReading] = [], isKnown: Bool = false) {
        self.readings = readings.sorted { $0.level > $1.level }
        self.isKnown = isKnown
    }

    /// The causes of pressure at present, with the level of each.
    package var factors: [PressureFactor: PressureLevel] {
        readings.reduce(into: [:]) { factors, reading in
            guard reading.level > .nominal else { return }
            factors[reading.factor] = max(factors[reading.factor] ?? .nominal, reading.level)
        }
    }

    /// The highest level of heat and power, which could harm the machine; load does not count.
    package var harm: PressureLevel { readings.filter { !$0.factor.isLoad }.map(\.level).max() ?? .nominal }

    /// The direction of the readings with the highest level: rising when any of these readings rises, falling when all
    /// of them fall, and steady otherwise.
    public var trend: PressureTrend {
        let worst = readings.filter { $0.level == level }
        if worst.contains(where: { $0.trend == .rising }) { return .rising }
        return !worst.isEmpty && worst.allSatisfy { $0.trend == .falling } ? .falling : .steady
    }

    /// A made-up state at a level, regardless of the sensors, for trying out a policy.
    package static func pinned(_ level: PressureLevel) -> PressureState {
        PressureState(
            readings: [
                PressureReading(source: "pin", factor: .systemTemperature, level: level, detail: "pinned to \(level)")
            ], isKnown: true)
    }
}
