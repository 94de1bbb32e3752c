import Foundation
package import Glibc
import Synchronization

/// A serial port without hardware: a pseudo-terminal, whose other end a test holds.
package final class SerialLine: Sendable {
    // `asm-generic/ioctls.h` has these as expressions, which Swift does not import.
    private static let setLock: UInt = 0x4004_5431
    private static let number: UInt = 0x8004_5430

    /// The path of the port.
    package let path: String
    /// The test's end; -1 once the port is taken away.
    private let end: Mutex<Int32>

    package init() throws {
        let end = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (lock, number): (Int32, Int32) = (0, 0)
        guard end >= 0, unsafe ioctl(end, Self.setLock, &lock) == 0,
            unsafe ioctl(end, Self.number, &number) == 0
        else { throw POSIXError(.ENODEV) }
        path = "/dev/pts/\(number)"
        self.end = Mutex(end)
    }

    deinit { unplug() }

    /// The port's settings.
    package var settings: termios {
        var settings = termios()
        _ = end.withLock { unsafe tcgetattr($0, &settings) }
        return settings
    }

    /// Sends bytes to whoever reads the port.
    package func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = end.withLock { unsafe write($0, bytes, bytes.count) }
    }

    /// Takes the port away.
    package func unplug() {
        end.withLock { end in
            if end >= 0 { close(end) }
            end = -1
        }
    }
}
