/// The level of one sensor, for a list of what is behind the machine's level.
public struct PressureReading: Sendable, Hashable, CustomStringConvertible {
    /// The source's name: `thermal_zone0 (cpu-thermal)`, `deadlines`.
    public var source: String
    /// The cause that the source measures.
    public var factor: PressureFactor
    /// The sensor's level.
    public var level: PressureLevel
    /// The value and its limit: `82.5 °C, passive from 80 °C`.
    public var detail: String
    /// The direction of the value during the last half minute or so.
    ///
    /// Falling, too, when the value is below the level's threshold but within its hysteresis.
    public var trend: PressureTrend

    /// A reading from its parts.
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

/// The direction of a value over time, to tell whether pressure is about to end.
public enum PressureTrend: String, Sendable, Hashable {
    /// Pressure falls.
    case falling
    case steady
    /// Pressure rises.
    case rising
}

/// The machine's level of pressure, with the readings behind it.
public struct PressureState: Sendable, Hashable {
    /// The highest level of all readings.
    public var level: PressureLevel { readings.map(\.level).max() ?? .nominal }
    /// All readings, the worst first, nominal ones included.
    public var readings: [PressureReading]
    /// False when only our own deadlines can be read.
    ///
    /// The level then says little about heat.
    public var isKnown: Bool

    /// A state from its readings.
    package init(readings: [PressureReading] = [], isKnown: Bool = false) {
        self.readings = readings.sorted { $0.level > $1.level }
        self.isKnown = isKnown
    }

    /// The factors with pressure, each with its level.
    package var factors: [PressureFactor: PressureLevel] {
        readings.reduce(into: [:]) { factors, reading in
            guard reading.level > .nominal else { return }
            factors[reading.factor] = max(factors[reading.factor] ?? .nominal, reading.level)
        }
    }

    /// The highest level of heat and power, which could harm the machine, without load.
    package var harm: PressureLevel { readings.filter { !$0.factor.isLoad }.map(\.level).max() ?? .nominal }

    /// The direction of the worst readings: rising when one of them rises.
    public var trend: PressureTrend {
        let worst = readings.filter { $0.level == level }
        if worst.contains(where: { $0.trend == .rising }) { return .rising }
        return !worst.isEmpty && worst.allSatisfy { $0.trend == .falling } ? .falling : .steady
    }

    /// The state of a machine at a level, whatever its sensors say, to try a policy.
    package static func pinned(_ level: PressureLevel) -> PressureState {
        PressureState(
            readings: [
                PressureReading(source: "pin", factor: .systemTemperature, level: level, detail: "pinned to \(level)")
            ], isKnown: true)
    }
}
