internal import PipFrames
internal import PipText

/// A limit of a value that a source of values gives: `speed>130` or `battery<11.5`.
package struct ValueLimit: Sendable, Hashable {
    /// The share of the limit by which a value must come back before the condition ends, so that noise ends none.
    private static let slack = 0.02

    package let name: String
    package let isAbove: Bool
    package let level: Double

    /// Reads a limit; nil for any other text.
    init?(_ text: String) {
        guard let mark = text.firstIndex(where: { $0 == ">" || $0 == "<" }) else { return nil }
        name = text[..<mark].trimmed
        isAbove = text[mark] == ">"
        guard let level = Double(text[text.index(after: mark)...].trimmed), level.isFinite,
            ReadoutFormat.isName(name)
        else { return nil }
        self.level = level
    }

    /// Checks whether a value is beyond the limit.
    ///
    /// - Parameters:
    ///   - value: The present value; nil for none.
    ///   - isHolding: True when the value was beyond the limit before.
    /// - Returns: The reason, such as `speed 132`. Nil for a value within the limit.
    func reason(for value: Telemetry.Value?, isHolding: Bool) -> String? {
        guard case .number(let number)? = value else { return nil }
        let slack = isHolding ? abs(level) * Self.slack : 0
        guard isAbove ? number > level - slack : number < level + slack else { return nil }
        let tenths = (number * 10).rounded() / 10
        return "\(name) \(tenths == tenths.rounded() && abs(tenths) < 1e15 ? "\(Int(tenths))" : "\(tenths)")"
    }
}
