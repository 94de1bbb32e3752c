/// What one source says of one factor.
public struct PressureReading: Sendable, Hashable, CustomStringConvertible {
    /// What was read: `thermal_zone0 (cpu-thermal)`, `deadlines`.
    public var source: String
    public var factor: PressureFactor
    public var level: PressureLevel
    /// The value and what it is measured against: `82.5 °C, passive from 80 °C`.
    public var detail: String

    public init(source: String, factor: PressureFactor, level: PressureLevel, detail: String) {
        self.source = source
        self.factor = factor
        self.level = level
        self.detail = detail
    }

    public var description: String { "\(source): \(detail)" }
}

/// How hard the machine is pressed, and by what.
public struct PressureState: Sendable, Hashable {
    /// The worst of all readings.
    public var level: PressureLevel { readings.map(\.level).max() ?? .nominal }
    /// What was read, the worst first; those that are nominal too.
    public var readings: [PressureReading]
    /// Whether anything but our own deadlines can be read; if not, the level says little about heat.
    public var isKnown: Bool

    public init(readings: [PressureReading] = [], isKnown: Bool = false) {
        self.readings = readings.sorted { $0.level > $1.level }
        self.isKnown = isKnown
    }

    /// The factors that press, each with its level; nominal ones are left out.
    public var factors: [PressureFactor: PressureLevel] {
        readings.reduce(into: [:]) { factors, reading in
            guard reading.level > .nominal else { return }
            factors[reading.factor] = max(factors[reading.factor] ?? .nominal, reading.level)
        }
    }

    /// The worst of what could harm the machine: heat and power, without load.
    public var harm: PressureLevel { readings.filter { !$0.factor.isLoad }.map(\.level).max() ?? .nominal }
}
