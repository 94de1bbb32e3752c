import Foundation
import PipInputs
import SystemPackage

/// A CAN bus of the kernel's own, on which a test sends messages.
struct VirtualBus {
    let interface: String
    private let socket: InputDescriptor

    /// Runs a function with a bus that is up.
    static func with<R>(_ interface: String, _ body: (VirtualBus) async throws -> R) async throws -> R {
        for module in ["can-raw", "vcan"] { try runProgram(["modprobe", module]) }
        try runProgram(["ip", "link", "add", interface, "type", "vcan"])
        defer { _ = try? runProgram(["ip", "link", "delete", interface]) }
        try set(interface, up: true)
        return try await body(VirtualBus(interface))
    }

    private init(_ interface: String) throws {
        self.interface = interface
        socket = try KernelInputs().bus(CANRequest(interface: interface, filters: []))
    }

    func set(up isUp: Bool) throws { try Self.set(interface, up: isUp) }

    private static func set(_ interface: String, up isUp: Bool) throws {
        try runProgram(["ip", "link", "set", interface, isUp ? "up" : "down"])
    }

    /// Sends a message of 8 bytes at most, and waits while the bus is full.
    ///
    /// Source: `struct can_frame` of `linux/can.h`.
    func send(_ identifier: UInt32, _ bytes: [UInt8]) throws {
        let head = (0..<4).map { UInt8(truncatingIfNeeded: identifier >> ($0 * 8)) } + [UInt8(bytes.count), 0, 0, 0]
        let frame = head + bytes + [UInt8](repeating: 0, count: 8 - bytes.count)
        while unsafe write(socket.number, frame, frame.count) < 0 {
            guard errno == ENOBUFS || errno == EAGAIN else { throw Errno(rawValue: errno) }
            usleep(100)
        }
    }
}
