/// A colour in R'G'B' with straight (unpremultiplied) alpha; components are 0…1.
public struct Color: Hashable, Sendable {
    /// The red component, non-linear (display-referred).
    public var red: Double
    /// The green component, non-linear.
    public var green: Double
    /// The blue component, non-linear.
    public var blue: Double
    /// The opacity, from 0 (transparent) to 1 (opaque).
    public var alpha: Double

    /// Creates a colour from its components, each 0…1.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Transparent black, the colour of an empty picture.
    public static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
    /// White, `#ffffff`.
    public static let white = Color(red: 1, green: 1, blue: 1)
    /// Black, `#000000`.
    public static let black = Color(red: 0, green: 0, blue: 0)
    /// Medium grey, `#808080`.
    public static let gray = Color(red: 0.5, green: 0.5, blue: 0.5)
    /// Red, `#ff0000`.
    public static let red = Color(red: 1, green: 0, blue: 0)
    /// Green, `#00ff00`.
    public static let green = Color(red: 0, green: 1, blue: 0)
    /// Blue, `#0000ff`.
    public static let blue = Color(red: 0, green: 0, blue: 1)
    /// Yellow, `#ffff00`.
    public static let yellow = Color(red: 1, green: 1, blue: 0)
    /// Orange, `#ffa500`.
    public static let orange = Color(red: 1, green: 0.647, blue: 0)

    /// The colours with a name, keyed by the lowercased names that ``init(named:)`` accepts.
    public static let names: [String: Color] = [
        "white": .white, "black": .black, "gray": .gray, "grey": .gray, "red": .red, "green": .green, "blue": .blue,
        "yellow": .yellow, "orange": .orange,
    ]

    /// Creates a colour from its name, or from `#rrggbb` or `#rrggbbaa`; nil for any other text.
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

    /// The colour as `#rrggbb`, or as `#rrggbbaa` if it is not opaque.
    ///
    /// Components are rounded to 8 bits.
    public var hexadecimal: String {
        let parts = alpha == 1 ? [red, green, blue] : [red, green, blue, alpha]
        return parts.reduce("#") { text, part in
            let byte = part.isNaN ? 0 : Int((min(max(part, 0), 1) * 255).rounded())
            return text + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }
}
