import Foundation

/// Formats numbers for reports.
enum Format {
    /// Formats a number below 10 with two decimals, and any other number with one.
    static func number(_ value: Double) -> String { String(format: abs(value) < 9.995 ? "%.2f" : "%.1f", value) }

    /// Formats a median in bold, followed by the range of the values.
    static func spread(_ spread: Spread) -> String {
        "**\(number(spread.median))** (\(number(spread.lowest)) – \(number(spread.highest)))"
    }

    static func mebibytes(_ bytes: Int) -> String { number(Double(bytes) / 1_048_576) }

    /// Four to nine round values for an axis, from 0 to at most `most`; only 0 unless `most` is positive and finite.
    static func ticks(_ most: Double) -> [Double] {
        guard most > 0, most.isFinite else { return [0] }
        let power = pow(10, floor(log10(most / 4)))
        let step = [1, 2, 5, 10].map { $0 * power }.first { most / $0 <= 8 } ?? 10 * power
        return (0...Int(most / step)).map { Double($0) * step }
    }
}
