/// A colour in R'G'B' with straight alpha, each 0…1.
public struct Color: Hashable, Sendable {
    /// Red, non-linear (display-referred).
    public var red: Double
    /// Green, non-linear.
    public var green: Double
    /// Blue, non-linear.
    public var blue: Double
    /// Opacity, from 0 (transparent) to 1.
    public var alpha: Double

    /// A colour from its components, each 0…1.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Transparent black.
    public static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
    /// `#ffffff`.
    public static let white = Color(red: 1, green: 1, blue: 1)
    /// `#000000`.
    public static let black = Color(red: 0, green: 0, blue: 0)
    /// `#808080`.
    public static let gray = Color(red: 0.5, green: 0.5, blue: 0.5)
    /// `#ff0000`.
    public static let red = Color(red: 1, green: 0, blue: 0)
    /// `#00ff00`.
    public static let green = Color(red: 0, green: 1, blue: 0)
    /// `#0000ff`.
    public static let blue = Color(red: 0, green: 0, blue: 1)
    /// `#ffff00`.
    public static let yellow = Color(red: 1, green: 1, blue: 0)
    /// `#ffa500`.
    public static let orange = Color(red: 1, green: 0.647, blue: 0)

    /// The names that ``init(named:)`` knows.
    public static let names: [String: Color] = [
        "white": .white, "black": .black, "gray": .gray, "grey": .gray, "red": .red, "green": .green, "blue": .blue,
        "yellow": .yellow, "orange": .orange,
    ]

    /// A colour by name, or as `#rrggbb` or `#rrggbbaa`; nil when it is neither.
    public init?(named text: String) {
        if let color = Self.names[text.lowercased()] {
            self = color
            return
        }
        guard text.hasPrefix("#"), text.count == 7 || text.count == 9,
            text.dropFirst().allSatisfy(\.isHexDigit), let number = UInt32(text.dropFirst(), radix: 16)
        else { return nil }
        let bits = text.count == 7 ? number << 8 | 0xff : number
        let parts = [24, 16, 8, 0].map { Double(bits >> $0 & 0xff) / 255 }
        self.init(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])
    }

    /// The colour as `#rrggbb`, or as `#rrggbbaa` when it is not opaque; components are rounded to 8 bits.
    public var hexadecimal: String {
        let parts = alpha == 1 ? [red, green, blue] : [red, green, blue, alpha]
        return parts.reduce("#") { text, part in
            let byte = part.isNaN ? 0 : Int((min(max(part, 0), 1) * 255).rounded())
            return text + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }
}
