public import PipFrames

/// A point of a curve, or a position in a picture.
public struct ControlPoint: Sendable, Hashable {
    /// The curve's argument, or the distance from the left edge, 0…1.
    public var x: Float
    /// The curve's value at the argument, or the distance from the upper edge, 0…1.
    public var y: Float

    /// Creates a point from its two coordinates, each 0…1.
    public init(_ x: Float, _ y: Float) {
        self.x = x
        self.y = y
    }
}

/// The value of an effect's parameter.
///
/// The value's description is a text that the command line accepts for the value.
public enum ParameterValue: Sendable, Hashable, CustomStringConvertible {
    case number(Float)
    case integer(Int)
    case flag(Bool)
    case color(Color)
    case choice(String)
    case numbers([Float])
    case points([ControlPoint])
    /// The path of a file; empty for none.
    case file(String)

    /// Parses a value of a kind, without checking the range; nil when the text is not a value of the kind.
    public init?(_ text: String, as kind: ParameterKind) {
        let words = text.split { $0 == " " || $0 == "|" }
        switch kind {
        case .number:
            guard let number = Self.number(text) else { return nil }
            self = .number(number)
        case .integer:
            guard let number = Int(text) else { return nil }
            self = .integer(number)
        case .flag:
            guard let isOn = Self.flags[text.lowercased()] else { return nil }
            self = .flag(isOn)
        case .color:
            guard let color = Color(named: text) else { return nil }
            self = .color(color)
        case .choice: self = .choice(text)
        case .numbers:
            let numbers = words.compactMap { Self.number($0) }
            guard numbers.count == words.count else { return nil }
            self = .numbers(numbers)
        case .points, .places:
            let points = words.compactMap { Self.point($0) }
            guard points.count == words.count else { return nil }
            self = .points(points)
        case .file: self = .file(text)
        }
    }

    private static let flags = [
        "on": true, "off": false, "true": true, "false": false, "yes": true, "no": false, "1": true, "0": false,
    ]

    private static func number(_ text: some StringProtocol) -> Float? {
        Float(text).flatMap { $0.isFinite ? $0 : nil }
    }

    private static func point(_ text: Substring) -> ControlPoint? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { number($0) }
        guard parts.count == 2, let x = parts[0], let y = parts[1] else { return nil }
        return ControlPoint(x, y)
    }

    public var description: String {
        switch self {
        case .number(let number): shortNumber(number)
        case .integer(let number): "\(number)"
        case .flag(let isOn): isOn ? "on" : "off"
        case .color(let color): color.hexadecimal
        case .choice(let name), .file(let name): name
        case .numbers(let numbers): numbers.map(shortNumber).joined(separator: " ")
        case .points(let points):
            points.map { "\(shortNumber($0.x))/\(shortNumber($0.y))" }.joined(separator: " ")
        }
    }
}

/// The shortest text of a number; whole numbers below a million have no `.0`.
func shortNumber(_ value: Float) -> String {
    value == value.rounded() && abs(value) < 1e6 ? "\(Int(value))" : "\(value)"
}
