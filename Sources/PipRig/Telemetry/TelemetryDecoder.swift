internal import PipCompose
internal import PipInputs
internal import PipText

/// Makes values of the readings of a ``TelemetryArgument``.
struct TelemetryDecoder {
    private let kind: TelemetryArgument.Kind
    private let name: String?
    private let database: CANDatabase?
    /// The present moment as a GPS receiver has described it so far, in several lines.
    private var fix = PositionFix()
    /// The time that the last reading told; nil for a reading without a time.
    private(set) var time: WallTime?

    init(_ argument: TelemetryArgument) {
        (kind, name, database) = (argument.kind, argument.name, argument.database)
    }

    /// Takes a reading.
    ///
    /// - Returns: The values; empty for a reading without values, nil for one that the source should not have sent.
    mutating func values(of reading: InputReading) -> [String: Telemetry.Value]? {
        let found: [String: Telemetry.Value]?
        time = nil
        switch reading {
        case .text(let line): found = values(ofLine: line)
        case .acceleration(let g):
            let whole = (g * g).sum().squareRoot()
            found = ["g": whole, "g.x": g.x, "g.y": g.y, "g.z": g.z].mapValues { .number($0) }
        case .messages(let messages): found = database?.values(messages)
        case .pressed, .edge: found = nil
        }
        return found?.named(name)
    }

    private mutating func values(ofLine line: String) -> [String: Telemetry.Value]? {
        switch kind {
        case .nmea:
            guard let sentence = NMEASentence(line) else { return nil }
            // RMC comes once for each moment, with the place and the speed.
            guard sentence.add(to: &fix), sentence.kind == "RMC" else { return [:] }
            time = fix.time
            return fix.values
        case .gpsd:
            guard let report = JSON(reading: Array(line.utf8)), GPSDReport.add(report, to: &fix) else { return nil }
            guard report["class"] == .string("TPV") else { return [:] }
            time = fix.time
            return fix.values
        case .json: return JSON(reading: Array(line.utf8)).flatMap(ValueLine.values)
        case .can, .track, .accelerometer, .api: return nil
        }
    }
}

extension [String: Telemetry.Value] {
    /// The values with a name and a full stop before each one's own; the values themselves for nil.
    func named(_ name: String?) -> [String: Telemetry.Value] {
        guard let name else { return self }
        return Dictionary(uniqueKeysWithValues: map { ("\(name).\($0.key)", $0.value) })
    }
}
