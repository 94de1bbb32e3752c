/// The printed form of a number, a part of what `printf` knows: `%.1f`, `%+d`, `%03d`.
struct NumberFormat: Hashable, Sendable {
    private var hasSign = false
    private var hasZeros = false
    private var width = 0
    /// The number of decimals; nil for as many as the number has, but at most one.
    private var decimals: Int?

    /// The form of numbers without a format: 12 or 12.3.
    static let usual = NumberFormat()

    private init() {}

    /// Reads a format; nil for any other text.
    init?(_ text: Substring) {
        guard text.first == "%", let letter = text.last, letter == "d" || letter == "f" else { return nil }
        var rest = text.dropFirst().dropLast()
        while let flag = rest.first, flag == "+" || flag == "0" {
            if flag == "+" { hasSign = true } else { hasZeros = true }
            rest = rest.dropFirst()
        }
        let parts = rest.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let width = Self.number(parts[0], upTo: 20) else { return nil }
        self.width = width
        switch (letter, parts.count) {
        case ("d", 1): decimals = 0
        case ("f", 1): decimals = 6
        case ("f", 2):
            guard let count = Self.number(parts[1], upTo: 9) else { return nil }
            decimals = count
        default: return nil
        }
    }

    private static func number(_ digits: Substring, upTo limit: Int) -> Int? {
        guard digits.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
        if digits.isEmpty { return 0 }
        return Int(digits).flatMap { $0 <= limit ? $0 : nil }
    }

    /// The text of a finite number.
    ///
    /// A number of more than fifteen digits is written as Swift writes it.
    func text(_ value: Double) -> String {
        let count = decimals ?? (value == value.rounded() ? 0 : 1)
        var factor = 1
        for _ in 0..<count { factor *= 10 }
        let scaled = (value * Double(factor)).rounded()
        guard abs(scaled) < 1e15 else { return "\(value)" }
        let digits = Int(abs(scaled))
        var text = String(digits / factor)
        if count > 0 {
            let fraction = String(digits % factor)
            text += "." + String(repeating: "0", count: count - fraction.count) + fraction
        }
        let sign = scaled < 0 ? "-" : hasSign ? "+" : ""
        let missing = String(repeating: hasZeros ? "0" : " ", count: max(0, width - text.count - sign.count))
        return hasZeros ? sign + missing + text : missing + sign + text
    }
}
