/// A setting of a camera, with what it takes.
public struct CameraControl: Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        case integer, boolean, button, bitmask
        /// Values with names.
        case menu([MenuItem])
        /// Values that stand for numbers.
        case integerMenu([MenuItem])
        /// A 64-bit number, a text or a structure: listed, but not to be set here.
        case other
    }

    /// One choice of a menu.
    public struct MenuItem: Hashable, Sendable {
        public let value: Int
        public let label: String
    }

    /// As `v4l2-ctl` writes it: `exposure_dynamic_framerate`.
    public let name: String
    /// As the driver writes it: `Exposure, Dynamic Framerate`.
    public let label: String
    public let kind: Kind
    public let range: ClosedRange<Int>
    public let step: Int
    public let defaultValue: Int
    /// The value when it was asked; nil when it has none (a button) or it cannot be read.
    public let value: Int?
    /// Whether it can only be read.
    public let isReadOnly: Bool
    /// Whether another control has made it meaningless for now, as automatic exposure does to the exposure time.
    public let isInactive: Bool

    package let id: UInt32

    public var description: String {
        let value = value.map { " = \($0)" } ?? ""
        return "\(name)\(value) (\(allowed))"
    }

    /// What it takes, for people.
    var allowed: String {
        switch kind {
        case .integer:
            "\(range.lowerBound)…\(range.upperBound)" + (step > 1 ? " in steps of \(step)" : "")
                + ", default \(defaultValue)"
        case .boolean: "0 or 1, default \(defaultValue)"
        case .button: "any value presses it"
        case .bitmask: "bits of \(range.upperBound), default \(defaultValue)"
        case .menu(let items), .integerMenu(let items):
            items.map { "\($0.value): \($0.label)" }.joined(separator: ", ") + ", default \(defaultValue)"
        case .other: "cannot be set here"
        }
    }

    /// Why a value is refused; nil when it can be set.
    func refusal(of value: Int) -> String? {
        if isReadOnly { return "it can only be read" }
        if isInactive { return "another control has switched it off" }
        let fits =
            switch kind {
            case .integer: range.contains(value) && (value - range.lowerBound) % max(1, step) == 0
            case .boolean: value == 0 || value == 1
            case .button: true
            case .bitmask: value >= 0 && value & ~range.upperBound == 0
            case .menu(let items), .integerMenu(let items): items.contains { $0.value == value }
            case .other: false
            }
        return fits ? nil : "it takes \(allowed)"
    }

    /// The name that `v4l2-ctl` makes of a driver's label: lower case, one underscore for whatever is no letter or
    /// digit.
    ///
    /// Source: v4l-utils, `utils/v4l2-ctl/v4l2-ctl-common.cpp`, `name2var`.
    static func name(fromLabel label: String) -> String {
        var name = ""
        var isGap = false
        for character in label {
            if character.isASCII && (character.isLetter || character.isNumber) {
                if isGap && !name.isEmpty { name += "_" }
                isGap = false
                name += character.lowercased()
            } else {
                isGap = true
            }
        }
        return name
    }
}
