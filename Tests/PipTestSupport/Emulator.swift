import Foundation

/// An emulator that runs the tests, as the variable `PIP_EMULATOR` says.
package enum Emulator {
    /// True under QEMU's emulation of programs, which does not tell why a program cannot be started.
    package static let hidesFailedStarts = ProcessInfo.processInfo.environment["PIP_EMULATOR"] == "qemu-user"
}
