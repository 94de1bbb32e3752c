/// A V4L2 control of a camera: its name, range and present value.
public struct CameraControl: Hashable, Sendable, CustomStringConvertible {
    /// The control's type, which says how to read and set its value.
    public enum Kind: Hashable, Sendable {
        case integer, boolean, button, bitmask
        /// A choice of named values.
        case menu([MenuItem])
        /// A choice of values, each of which stands for the number in its item's label.
        case integerMenu([MenuItem])
        /// A 64-bit number, a text or a structure.
        ///
        /// Such a control is listed, but PipCapture cannot set it.
        case other
    }

    /// One choice of a menu.
    public struct MenuItem: Hashable, Sendable {
        /// The value that selects the item.
        public let value: Int
        /// The driver's name for the item; in an integer menu, the item's number as text.
        public let label: String
    }

    /// The control's name in `v4l2-ctl`: `exposure_dynamic_framerate`.
    public let name: String
    /// The driver's own label: `Exposure, Dynamic Framerate`.
    public let label: String
    /// The control's type, with the items of a menu.
    public let kind: Kind
    /// The range of valid values; for a bitmask, from 0 to all valid bits.
    public let range: ClosedRange<Int>
    /// The difference between neighbouring valid values, of which the lowest is the lower bound of ``range``.
    public let step: Int
    /// The driver's default value.
    public let defaultValue: Int
    /// The value at the time of the query; nil for a button, and for a value that cannot be read.
    public let value: Int?
    /// True when the control cannot be set.
    public let isReadOnly: Bool
    /// True while another control disables this one, as automatic exposure disables the exposure time.
    public let isInactive: Bool

    package let id: UInt32

    public var description: String {
        let value = value.map { " = \($0)" } ?? ""
        return "\(name)\(value) (\(allowed))"
    }

    /// The valid values, as text for messages.
    var allowed: String {
        switch kind {
        case .integer:
            "\(range.lowerBound)…\(range.upperBound)" + (step > 1 ? " in steps of \(step)" : "")
                + ", default \(defaultValue)"
        case .boolean: "0 or 1, default \(defaultValue)"
        case .button: "any value presses it"
        case .bitmask: "a combination of the bits of \(range.upperBound), default \(defaultValue)"
        case .menu(let items), .integerMenu(let items):
            items.isEmpty
                ? Self.noValue
                : items.map { "\($0.value): \($0.label)" }.joined(separator: ", ") + ", default \(defaultValue)"
        case .other: Self.noValue
        }
    }

    private static let noValue = "no value that can be set here"

    /// Explains why the control cannot be set to `value`; returns nil when `value` can be set.
    ///
    /// - Parameters:
    ///   - value: The value to check.
    ///   - mayBeInactive: True to accept an inactive control, because another setting may enable it.
    /// - Returns: The reason, worded to follow a colon.
    func refusal(of value: Int, mayBeInactive: Bool = false) -> String? {
        if isReadOnly { return "the control can only be read" }
        if isInactive, !mayBeInactive { return "another control has disabled this control" }
        let fits =
            switch kind {
            case .integer: range.contains(value) && (value - range.lowerBound) % max(1, step) == 0
            case .boolean: value == 0 || value == 1
            case .button: true
            case .bitmask: value >= 0 && value & ~range.upperBound == 0
            case .menu(let items), .integerMenu(let items): items.contains { $0.value == value }
            case .other: false
            }
        if fits { return nil }
        return allowed == Self.noValue ? "the control has \(allowed)" : "it must be \(allowed)"
    }

    /// The `v4l2-ctl` name for a driver's label: the label's ASCII letters in lower case and its digits, with one
    /// underscore for each run of other characters between them.
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

extension [CameraControl] {
    /// The control with the V4L2 identifier `id`, such as `V4L2_CID_GAIN`; nil when the camera lacks it.
    func control(_ id: some BinaryInteger) -> CameraControl? { first { $0.id == UInt32(id) } }

    /// The control with the V4L2 identifier `id`; nil when the camera lacks it or it is read-only.
    func settable(_ id: some BinaryInteger) -> CameraControl? { control(id).flatMap { $0.isReadOnly ? nil : $0 } }

    /// The button with the V4L2 identifier `id`; nil when the camera lacks it or it is another kind of control.
    func button(_ id: some BinaryInteger) -> CameraControl? { control(id).flatMap { $0.kind == .button ? $0 : nil } }
}
