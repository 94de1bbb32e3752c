import CPlatform
import Glibc
import PipCompose

/// An event device that the kernel's uinput makes for a test.
///
/// Source: the kernel's "uinput module", `linux/uinput.h`.
struct KeyboardDriver {
    private enum Request {
        static let create: UInt = 0x5501
        static let setEventBit: UInt = 0x4004_5564
        static let setKeyBit: UInt = 0x4004_5565
    }

    /// The size of `uinput_user_dev`, which begins with the name of 80 bytes.
    private static let setupSize = 80 + 8 + 4 + 4 * 64 * 4

    private let descriptor: CInt

    /// Makes a device with some keys, by the kernel's numbers.
    init(_ name: String, keys: [CInt]) throws {
        descriptor = unsafe open("/dev/uinput", O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ProgramFailure(command: "open /dev/uinput", said: String(errno)) }
        _ = ioctl(descriptor, Request.setEventBit, CInt(EV_KEY))
        for key in keys { _ = ioctl(descriptor, Request.setKeyBit, key) }
        let text = Array(name.utf8.prefix(79))
        let setup = text + [UInt8](repeating: 0, count: Self.setupSize - text.count)
        guard unsafe write(descriptor, setup, setup.count) == setup.count,
            ioctl(descriptor, Request.create) == 0
        else { throw ProgramFailure(command: "uinput", said: String(errno)) }
    }

    /// Takes the device away.
    func remove() { close(descriptor) }

    /// Presses and releases a key.
    func press(_ key: UInt16) {
        for value in [1, 0] as [Int32] {
            send(UInt16(EV_KEY), key, value)
            send(UInt16(EV_SYN), 0, 0)
        }
    }

    private func send(_ type: UInt16, _ code: UInt16, _ value: Int32) {
        var event = input_event()
        (event.type, event.code, event.value) = (type, code, value)
        _ = unsafe write(descriptor, &event, MemoryLayout<input_event>.size)
    }
}
