internal import PipCompose

/// A report of gpsd, one JSON object on a line.
///
/// Source: gpsd's `gpsd_json(5)`.
enum GPSDReport {
    static let port: UInt16 = 2947
    /// The command that begins the reports.
    static let greeting = #"?WATCH={"enable":true,"json":true};"# + "\n"

    /// Adds what a report says to what is known of the present moment.
    ///
    /// - Returns: True for a report of gpsd, even if no receiver has a fix.
    static func add(_ report: JSON, to fix: inout PositionFix) -> Bool {
        switch report["class"] {
        case .string("TPV"):
            let mode = report["mode"]?.double ?? 0
            let hasFix = mode >= 2
            fix.latitude = hasFix ? report["lat"]?.double : nil
            fix.longitude = hasFix ? report["lon"]?.double : nil
            fix.altitude = mode >= 3 ? (report["altMSL"] ?? report["alt"])?.double : nil
            fix.speed = hasFix ? report["speed"]?.double : nil
            fix.heading = hasFix ? report["track"]?.double : nil
            fix.time = hasFix ? report["time"]?.text.flatMap { WallTime(dateTime: $0) } : nil
            fix.accuracy = hasFix ? report["eph"]?.double ?? radius(report) : nil
        case .string("SKY"): fix.satellites = report["uSat"]?.double.flatMap { Int(exactly: $0) }
        case .string: break
        default: return false
        }
        return true
    }

    /// The radius of the errors to the east and to the north.
    private static func radius(_ report: JSON) -> Double? {
        guard let x = report["epx"]?.double, let y = report["epy"]?.double else { return nil }
        return (x * x + y * y).squareRoot()
    }
}

extension JSON {
    /// The text; nil for any other value.
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The number; nil for any other value.
    fileprivate var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }
}
