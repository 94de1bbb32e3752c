/// A number in the messages of a CAN bus.
struct CANSignal: Hashable, Sendable {
    /// The name of the message.
    let message: String
    var name: String
    /// The bit at which the signal begins: its lowest one, or its highest one in Motorola's order.
    private let start: Int
    private let length: Int
    /// True for Motorola's order, which begins with the highest byte.
    private let isBigEndian: Bool
    private let isSigned: Bool
    /// True for a number of IEEE 754 in 32 or 64 bits.
    var isFloat = false
    private let factor: Double
    private let offset: Double
    /// The range beyond which a number says "not available" or "error"; nil for a signal without one.
    private let range: ClosedRange<Double>?
    /// True for the signal whose number tells which page of signals a message has.
    let isSelector: Bool
    /// False for a selector that is read for the sake of others only.
    var isShown = true
    /// The page to which the signal belongs; nil for one that is in each message.
    let page: UInt64?

    /// Reads the line of a signal; nil for any other line, and for a signal without a place in a message.
    init?(_ line: Substring, of message: String, _ patterns: DBCPatterns) {
        guard let found = line.prefixMatch(of: patterns.signal), let start = Int(found.3), let length = Int(found.4),
            let factor = DBCPatterns.number(found.7), let offset = DBCPatterns.number(found.8),
            (1...64).contains(length), start < 64 * 8
        else { return nil }
        (self.message, name) = (message, String(found.1))
        (self.start, self.length) = (start, length)
        (isBigEndian, isSigned) = (found.5 == "0", found.6 == "-")
        (self.factor, self.offset) = (factor, offset)
        let mark = found.2 ?? ""
        isSelector = mark.hasSuffix("M")
        page = UInt64(mark.filter(\.isNumber))
        range = line[found.range.upperBound...].prefixMatch(of: patterns.limits).flatMap { limits in
            guard let least = DBCPatterns.number(limits.1), let most = DBCPatterns.number(limits.2), least < most else {
                return nil
            }
            return least...most
        }
    }

    /// The signal's number in a message, in its unit; nil for a message that is too short for it, and beyond its range.
    func value(_ bytes: [UInt8]) -> Double? {
        guard let raw = rawValue(bytes) else { return nil }
        let number: Double =
            switch (isFloat, length) {
            case (true, 32): Double(Float(bitPattern: UInt32(raw)))
            case (true, 64): Double(bitPattern: raw)
            default: isSigned ? Double(Int64(bitPattern: raw << (64 - length)) >> (64 - length)) : Double(raw)
            }
        let value = number * factor + offset
        // The last digits of a range are rounded.
        let slack = abs(factor) / 2
        if let range, value < range.lowerBound - slack || value > range.upperBound + slack { return nil }
        return value
    }

    /// The signal's bits in a message; nil for a message that is too short.
    func rawValue(_ bytes: [UInt8]) -> UInt64? {
        var (raw, bit) = (UInt64(0), start)
        for count in 0..<length {
            guard bit >> 3 < bytes.count else { return nil }
            let value = UInt64(bytes[bit >> 3] >> (bit & 7) & 1)
            if isBigEndian {
                raw = raw << 1 | value
                bit += bit & 7 == 0 ? 15 : -1
            } else {
                raw |= value << count
                bit += 1
            }
        }
        return raw
    }
}

/// The forms of lines in DBC files, which are compiled once for each file.
struct DBCPatterns {
    fileprivate let signal =
        /SG_\s+([A-Za-z0-9_]+)\s*(M|m[0-9]+M?)?\s*:\s*([0-9]+)\|([0-9]+)@([01])([+-])\s*\(([^,]+),([^)]+)\)/
    fileprivate let limits = /\s*\[([^|]+)\|([^\]]+)\]/
    private let message = /BO_\s+([0-9]+)\s+([A-Za-z0-9_]+)\s*:/
    private let float = /SIG_VALTYPE_\s+([0-9]+)\s+([A-Za-z0-9_]+)\s*:?\s*[12]\s*;/

    /// The bits that no identifier has: files collect signals without a message under such a number.
    private static let others: UInt32 = 0x6000_0000

    /// The identifier and the name of a message; nil for any other line.
    func message(_ line: Substring) -> (identifier: UInt32, name: String)? {
        guard let found = line.prefixMatch(of: message), let identifier = UInt32(found.1),
            identifier & Self.others == 0
        else { return nil }
        return (identifier, String(found.2))
    }

    /// The message's identifier and the name of a signal that is a number of IEEE 754; nil for any other line.
    func float(_ line: Substring) -> (identifier: UInt32, name: String)? {
        guard let found = line.prefixMatch(of: float), let identifier = UInt32(found.1) else { return nil }
        return (identifier, String(found.2))
    }

    /// A finite number that may stand between spaces.
    fileprivate static func number(_ text: Substring) -> Double? {
        Double(text.filter { $0 != " " }).flatMap { $0.isFinite ? $0 : nil }
    }
}
