import Glibc
import PipRig

/// Formats a number without trailing zeros, such as `30`, `0.4` or `29.97`.
func shortNumber(_ value: Double, decimals: Int = 3) -> String {
    guard value.isFinite else { return "\(value)" }
    var text = fixedNumber(value, decimals: decimals)
    guard text.contains(".") else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text == "-0" ? "0" : text
}

/// Formats a number with a fixed number of decimals, such as `12.50` for two.
func fixedNumber(_ value: Double, decimals: Int) -> String {
    unsafe withVaList([CInt(decimals), value]) { arguments in
        // A `Double` has at most 309 digits before its decimals.
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 320 + decimals) { buffer in
            unsafe vsnprintf(buffer.baseAddress, buffer.count, "%.*f", arguments)
            return unsafe buffer.baseAddress.map { unsafe String(cString: $0) } ?? ""
        }
    }
}

extension Duration {
    /// The duration in seconds, with fractions.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }

    var milliseconds: Double { seconds * 1000 }
}

/// Formats a count with its noun: `1 frame`, `2 frames`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// Formats a count with a noun whose plural is irregular: `1 pass`, `2 passes`.
func counted(_ count: Int, _ noun: String, plural: String) -> String { "\(count) \(count == 1 ? noun : plural)" }
