internal import PipCompose

/// A sentence of a receiver that speaks NMEA 0183, with a right checksum.
///
/// ```
/// $GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A
/// ```
///
/// Source: NMEA 0183, as gpsd's "NMEA Revealed" describes it.
struct NMEASentence: Equatable {
    /// The three letters that name the kind, such as `RMC`, without the talker's.
    let kind: String
    /// The fields behind the name.
    let fields: [String]

    /// Reads a line; nil for any other line, and for a wrong checksum.
    init?(_ line: String) {
        guard let start = line.firstIndex(of: "$") else { return nil }
        let halves = line[line.index(after: start)...].split(separator: "*", omittingEmptySubsequences: false)
        guard halves.count == 2, let sum = UInt8(halves[1].prefix(2), radix: 16),
            halves[0].utf8.reduce(0, ^) == sum
        else { return nil }
        var fields = halves[0].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let name = fields.removeFirst()
        guard name.count == 5 else { return nil }
        kind = String(name.suffix(3))
        self.fields = fields
    }

    private func number(_ index: Int) -> Double? {
        guard fields.indices.contains(index), let number = Double(fields[index]), number.isFinite else { return nil }
        return number
    }

    /// An angle as degrees and minutes, `4807.038`, with its side of the earth in the next field.
    private func angle(_ index: Int, _ negative: String) -> Double? {
        guard let value = number(index), value >= 0, fields.indices.contains(index + 1) else { return nil }
        let degrees = (value / 100).rounded(.down)
        let angle = degrees + (value - degrees * 100) / 60
        return fields[index + 1] == negative ? -angle : angle
    }

    /// The time of an RMC sentence: `123519.00` in the first field, `230394` in the ninth; nil for other fields.
    private var time: WallTime? {
        func digits(_ index: Int, _ start: Int) -> Int? {
            guard fields.indices.contains(index), fields[index].utf8.count >= start + 2 else { return nil }
            return Int(fields[index].dropFirst(start).prefix(2))
        }
        guard let hour = digits(0, 0), let minute = digits(0, 2), let second = Double(fields[0].dropFirst(4)),
            let day = digits(8, 0), let month = digits(8, 2), let year = digits(8, 4)
        else { return nil }
        return WallTime(date: (2000 + year, month, day), time: (hour, minute, second))
    }

    /// Adds what the sentence says to what is known of the present moment.
    ///
    /// - Returns: True for a sentence of a known kind, even if the receiver has no fix.
    func add(to fix: inout PositionFix) -> Bool {
        switch kind {
        case "RMC":
            guard fields.count >= 8 else { return false }
            let isValid = fields[1] == "A"
            fix.latitude = isValid ? angle(2, "S") : nil
            fix.longitude = isValid ? angle(4, "W") : nil
            fix.speed = isValid ? number(6).map { $0 * 1.852 / 3.6 } : nil
            fix.heading = isValid ? number(7) : nil
            fix.time = isValid ? time : nil
        case "GGA":
            guard fields.count >= 9 else { return false }
            let hasFix = (number(5) ?? 0) > 0
            fix.satellites = number(6).flatMap { Int(exactly: $0) }
            // A receiver under open sky is right within some five metres times its dilution of precision.
            fix.accuracy = hasFix ? number(7).map { $0 * 5 } : nil
            fix.altitude = hasFix ? number(8) : nil
        default: return false
        }
        return true
    }
}
