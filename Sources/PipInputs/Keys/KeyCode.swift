/// A key of a keyboard, a pedal of a foot switch or a button of a controller, by the kernel's number.
package struct KeyCode: Hashable, Sendable, CustomStringConvertible {
    /// The kernel's numbers of keys.
    package static let numbers: ClosedRange<UInt16> = 1...0x2ff

    package let number: UInt16

    init(number: UInt16) { self.number = number }

    /// Reads the kernel's name of a key in any case, `KEY_F13`, `f13` or `BTN_TRIGGER`, or a number; nil for others.
    package init?(_ text: String) {
        let name = text.uppercased()
        let number = UInt16(text) ?? KeyNames.numbers[name] ?? KeyNames.numbers["KEY_\(name)"]
        guard let number, Self.numbers.contains(number) else { return nil }
        self.number = number
    }

    /// The kernel's names of all keys, in the order of their numbers.
    package static var names: [String] { KeyNames.list.map(\.name) }

    /// The kernel's name, else the number.
    package var description: String { KeyNames.names[number] ?? "key \(number)" }
}

/// Keys of an event device.
package struct KeyRequest: Hashable, Sendable {
    /// The path of the device, or a name or a part of a name, which several devices may have.
    let device: String
    var keys: Set<KeyCode>
    /// True to keep the device's events from all other programs.
    var isExclusive: Bool

    package init(device: String, key: KeyCode, isExclusive: Bool) {
        (self.device, keys, self.isExclusive) = (device, [key], isExclusive)
    }
}
