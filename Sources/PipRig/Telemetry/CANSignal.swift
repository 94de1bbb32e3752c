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
    init?(_ line: some StringProtocol, of message: String) {
        let head = /SG_\s+([A-Za-z0-9_]+)\s*(M|m[0-9]+M?)?\s*:\s*([0-9]+)\|([0-9]+)@([01])([+-])\s*\(([^,]+),([^)]+)\)/
        let limits = /\s*\[([^|]+)\|([^\]]+)\]/
        let line = String(line)
        guard let found = line.prefixMatch(of: head), let start = Int(found.3), let length = Int(found.4),
            let factor = Double(found.7.filter { $0 != " " }), let offset = Double(found.8.filter { $0 != " " }),
            (1...64).contains(length), start < 64 * 8, factor.isFinite, offset.isFinite
        else { return nil }
        (self.message, name) = (message, String(found.1))
        (self.start, self.length) = (start, length)
        (isBigEndian, isSigned) = (found.5 == "0", found.6 == "-")
        (self.factor, self.offset) = (factor, offset)
        let mark = found.2 ?? ""
        isSelector = mark.hasSuffix("M")
        page = UInt64(mark.filter(\.isNumber))
        range = line[found.range.upperBound...].prefixMatch(of: limits).flatMap { limits in
            guard let least = Double(limits.1.filter { $0 != " " }), let most = Double(limits.2.filter { $0 != " " }),
                least < most
            else { return nil }
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
