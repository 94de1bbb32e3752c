package import PipCompose

extension PixelSize {
    /// The names that users can write instead of sizes.
    package static let named: [(name: String, size: PixelSize)] = [
        ("720p", .hd720), ("1080p", .hd1080), ("2160p", .uhd2160),
    ]

    /// The greatest width or height that a user may write, in pixels.
    ///
    /// The renderer and the cameras report lower limits.
    private static let largestSide = 65536

    /// Reads a size as `1280x720` or `720p`.
    ///
    /// Refuses odd widths and heights, unless `allowsOdd` is true.
    package init(argument text: String, allowsOdd: Bool = false) throws(UsageError) {
        if let named = Self.named.first(where: { $0.name == text.lowercased() }) {
            self = named.size
            return
        }
        let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]) else {
            let near = NearestName.suggestion(for: text, among: Self.named.map(\.name))
            throw UsageError(
                "\(valueText(text)) is not a size\(near ?? ": write WxH such as 1280x720, or 720p, 1080p, 2160p")")
        }
        guard width > 0, height > 0 else {
            throw UsageError("\(text): width and height must be above zero")
        }
        guard width <= Self.largestSide, height <= Self.largestSide else {
            throw UsageError("\(text): width and height must be \(Self.largestSide) or less")
        }
        guard allowsOdd || (width % 2 == 0 && height % 2 == 0) else {
            let even = PixelSize(max(2, width - width % 2), max(2, height - height % 2))
            throw UsageError(
                "\(text): width and height must be even, as 2x2 pixels share one colour in 4:2:0 frames; try \(even)")
        }
        self.init(width, height)
    }
}

extension FrameRate {
    /// The accepted rates: from one frame in ten minutes to 1000 frames a second.
    private static let range = FrameRate(1, per: 600)...FrameRate(1000)

    /// Reads a frame rate as `30`, `29.97` or `30000/1001`.
    package init(argument text: String) throws(UsageError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let rate: FrameRate? =
            if parts.count == 2, let frames = Int(parts[0]), let seconds = Int(parts[1]) {
                (1...1_000_000_000).contains(frames) && (1...1_000_000_000).contains(seconds)
                    ? FrameRate(frames, per: seconds) : nil
            } else {
                Double(text).flatMap { FrameRate($0) }
            }
        guard let rate, Self.range.contains(rate) else {
            throw UsageError(
                "\(valueText(text)) is not a frame rate from 1/600 to 1000: write 30, 29.97 or 30000/1001")
        }
        self = rate
    }
}

extension Duration {
    private static let units: [(name: String, nanoseconds: Double)] = [
        ("ms", 1e6), ("s", 1e9), ("m", 60e9), ("h", 3600e9),
    ]

    /// Reads a duration above zero as `10s`, `1m30s`, `500ms` or `1.5h`: numbers with units, the largest unit first.
    package init(argument text: String) throws(UsageError) {
        let mistake = UsageError("\(valueText(text)) is not a time: write 10s, 1m30s, 500ms or 1.5h")
        var total = 0.0
        var rest = Substring(text)
        var smallest = Double.infinity
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            let letters = rest.dropFirst(digits.count).prefix { $0.isASCII && $0.isLetter }
            if letters.isEmpty, !digits.isEmpty {
                throw UsageError("\(text) has no unit: write \(text)s for seconds, or ms, m, h")
            }
            guard let number = Double(digits), let unit = Self.units.first(where: { $0.name == letters }),
                unit.nanoseconds < smallest
            else { throw mistake }
            smallest = unit.nanoseconds
            total += number * unit.nanoseconds
            rest = rest.dropFirst(digits.count + letters.count)
        }
        guard total > 0, total < 1e18 else {
            if text.isEmpty { throw mistake }
            throw UsageError(
                total > 0 ? "\(text) is not a time below 277777h" : "\(text): the time must be above zero")
        }
        self = .nanoseconds(Int(total.rounded()))
    }
}

/// A value as messages show it: an empty text as the words "an empty value".
func valueText(_ text: String) -> String { text.isEmpty ? "an empty value" : text }

/// Reads the value of an option, which must be the raw value of a case of `Value`.
package func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ text: String, named name: String
) throws(UsageError) -> Value {
    if let value = Value(rawValue: text) { return value }
    let words = Value.allCases.map(\.rawValue)
    let list = "\(words.dropLast().joined(separator: ", ")) or \(words.last ?? "")"
    let near = NearestName.suggestion(for: text, among: words) ?? ""
    throw UsageError("\(name) is \(valueText(text)), but must be \(list)\(near)")
}

/// Returns the case of `Value` with the raw value `name`.
///
/// The error for an unknown name suggests the nearest name.
package func known<Value: RawRepresentable<String> & CaseIterable>(
    _ name: String, as noun: String
) throws(UsageError) -> Value {
    if let value = Value(rawValue: name) { return value }
    throw NearestName.unknown(noun, name, among: Value.allCases.map(\.rawValue))
}

/// Reads a switch: `on`, `off` or a synonym, such as `true` and `no`.
package func onOff(_ text: String, named name: String) throws(UsageError) -> Bool {
    guard case .flag(let isOn)? = ParameterValue(text, as: .flag) else {
        throw UsageError("\(name) is \(valueText(text)), but must be on or off")
    }
    return isOn
}

/// Reads a number, or throws ``UsageError`` for a number outside of `range` and for other text.
package func number<Value: LosslessStringConvertible & Comparable>(
    _ text: String, in range: ClosedRange<Value>, named name: String
) throws(UsageError) -> Value {
    guard let value = Value(text), range.contains(value) else {
        let kind = range.lowerBound is Int ? " (a whole number)" : ""
        throw UsageError(
            "\(name) is \(valueText(text)), but must be \(range.lowerBound) to \(range.upperBound)\(kind)")
    }
    return value
}
