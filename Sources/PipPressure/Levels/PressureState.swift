/// The level of one source.
public struct PressureReading: Sendable, Hashable, CustomStringConvertible {
    /// The source's name: `thermal_zone0 (cpu-thermal)`, `deadlines`.
    public var source: String
    /// The cause that the source measures.
    public var factor: PressureFactor
    /// Its level.
    public var level: PressureLevel
    /// The value and what it is measured against: `82.5 °C, passive from 80 °C`.
    public var detail: String
    /// Where the value has been going for the last half minute or so; falling, too, when it has left the level's
    /// threshold but not by enough.
    public var trend: PressureTrend

    /// A reading by its parts.
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

/// Where a value is going.
public enum PressureTrend: String, Sendable, Hashable {
    /// Pressure goes down.
    case falling
    case steady
    /// Pressure goes up.
    case rising
}

/// The machine's level of pressure, with the readings behind it.
public struct PressureState: Sendable, Hashable {
    /// The worst of all readings.
    public var level: PressureLevel { readings.map(\.level).max() ?? .nominal }
    /// All readings, the worst first, nominal ones included.
    public var readings: [PressureReading]
    /// False when nothing but our own deadlines can be read: the level then says little about heat.
    public var isKnown: Bool

    /// A state by its readings.
    package init(readings: [PressureReading] = [], isKnown: Bool = false) {
        self.readings = readings.sorted { $0.level > $1.level }
        self.isKnown = isKnown
    }

    /// The factors that press, each with its level; nominal ones are left out.
    package var factors: [PressureFactor: PressureLevel] {
        readings.reduce(into: [:]) { factors, reading in
            guard reading.level > .nominal else { return }
            factors[reading.factor] = max(factors[reading.factor] ?? .nominal, reading.level)
        }
    }

    /// The worst of what could harm the machine: heat and power, without load.
    package var harm: PressureLevel { readings.filter { !$0.factor.isLoad }.map(\.level).max() ?? .nominal }

    /// Where the worst of the readings are going: rising when one of them is.
    public var trend: PressureTrend {
        let worst = readings.filter { $0.level == level }
        if worst.contains(where: { $0.trend == .rising }) { return .rising }
        return !worst.isEmpty && worst.allSatisfy { $0.trend == .falling } ? .falling : .steady
    }

    /// The state of a machine that is at a level, whatever its sensors say: to try out what a policy does.
    package static func pinned(_ level: PressureLevel) -> PressureState {
        PressureState(
            readings: [
                PressureReading(source: "pin", factor: .systemTemperature, level: level, detail: "pinned to \(level)")
            ], isKnown: true)
    }
}
