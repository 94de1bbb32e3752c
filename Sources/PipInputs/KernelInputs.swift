internal import CPlatform
internal import Glibc
internal import PipFrames
package import SystemPackage

/// The machine's input devices, by the kernel's own interfaces.
///
/// libgpiod would need two programs: its versions 1.x (Debian 12) and 2.x (Debian 13) have incompatible interfaces. The
/// kernel's interface of GPIO lines, its version 2 since Linux 5.10, is the same on both.
///
/// Source: `linux/input.h`, `linux/gpio.h`, `linux/can/raw.h`.
package struct KernelInputs: InputDevices {
    /// The number of bytes of a map of all keys.
    private static let mapSize = (Int(KeyCode.numbers.upperBound) + 1) / 8

    package let root: String

    /// Creates access to the machine's devices.
    ///
    /// - Parameter root: The folder in place of `/` for the files of sysfs, for tests.
    package init(root: String = "/") { self.root = root.hasSuffix("/") ? root : root + "/" }

    package func keyDevices() -> [(path: String, name: String)] {
        // The names in sysfs may be read by everyone, so that a device without permission can be named, too.
        Self.numbered("event", in: "\(root)sys/class/input").map { event in
            ("/dev/input/\(event)", FileContents.text(of: "\(root)sys/class/input/\(event)/device/name") ?? "")
        }
    }

    package func open(_ path: String) throws(Errno) -> InputDescriptor {
        let number = unsafe Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { throw Errno(rawValue: errno) }
        return InputDescriptor(number)
    }

    package func keys(of device: InputDescriptor) throws(Errno) -> Set<KeyCode> {
        var map = [UInt8](repeating: 0, count: Self.mapSize)
        let count = unsafe map.withUnsafeMutableBufferPointer {
            unsafe pip_keys_present(device.number, $0.baseAddress, $0.count)
        }
        try Self.check(count)
        let numbers = KeyCode.numbers.filter { map[Int($0) / 8] & 1 << ($0 % 8) != 0 }
        return Set(numbers.map(KeyCode.init(number:)))
    }

    package func select(_ keys: Set<KeyCode>, of device: InputDescriptor) throws(Errno) {
        var map = [UInt8](repeating: 0, count: Self.mapSize)
        for key in keys { map[Int(key.number) / 8] |= 1 << (key.number % 8) }
        try Self.check(unsafe pip_keys_select(device.number, map, map.count))
    }

    package func grab(_ device: InputDescriptor) throws(Errno) { try Self.check(pip_keys_grab(device.number)) }

    package func chips() -> [String] { Self.numbered("gpiochip", in: "/dev").map { "/dev/\($0)" } }

    package func describe(_ chip: InputDescriptor) throws(Errno) -> (label: String, lines: UInt32) {
        var info = gpiochip_info()
        try Self.check(unsafe pip_gpio_chip(chip.number, &info))
        return (Self.text(info.label), info.lines)
    }

    package func line(_ number: UInt32, of chip: InputDescriptor) throws(Errno) -> GPIOLine {
        var info = gpio_v2_line_info()
        try Self.check(unsafe pip_gpio_line(chip.number, number, &info))
        let isUsed = info.flags & UInt64(GPIO_V2_LINE_FLAG_USED.rawValue) != 0
        let user = Self.text(info.consumer)
        return GPIOLine(
            number: number, name: Self.text(info.name), user: isUsed ? (user.isEmpty ? "the kernel" : user) : nil)
    }

    package func request(_ line: LineRequest, _ chip: InputDescriptor) throws(Errno) -> InputDescriptor {
        let debounce = UInt32(clamping: (line.debounce?.nanoseconds ?? 0) / 1000)
        let number = pip_gpio_request(chip.number, line.number, line.flags, debounce)
        try Self.check(number)
        return InputDescriptor(number)
    }

    package func bus(_ request: CANRequest) throws(Errno) -> InputDescriptor {
        let filters = request.filters.map { can_filter(can_id: $0.identifier, can_mask: $0.mask) }
        let number = unsafe pip_can_open(request.interface, filters, filters.count)
        try Self.check(number)
        return InputDescriptor(number)
    }

    private static func check(_ result: CInt) throws(Errno) {
        guard result < 0 else { return }
        throw Errno(rawValue: -result)
    }

    /// The names of a folder's entries that consist of a prefix and a number, in the order of the numbers.
    static func numbered(_ prefix: String, in folder: String) -> [String] {
        let found = Folder.entries(of: folder).compactMap { name -> (number: Int, name: String)? in
            guard name.hasPrefix(prefix), let number = Int(name.dropFirst(prefix.count)) else { return nil }
            return (number, name)
        }
        return found.sorted { $0.number < $1.number }.map(\.name)
    }

    /// The text in an array of characters of C, up to its first zero.
    private static func text<Characters>(_ characters: Characters) -> String {
        unsafe withUnsafeBytes(of: characters) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
