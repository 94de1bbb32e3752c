internal import Glibc
package import SystemPackage

/// The kernel's input devices, or a test's.
///
/// Thread: any.
package protocol InputDevices: Sendable {
    /// The folder in place of `/` for the files of sysfs; ends with a slash.
    var root: String { get }

    /// The event devices with their names, in the order of their numbers.
    func keyDevices() -> [(path: String, name: String)]

    /// Opens a device for reading; reads never block.
    func open(_ path: String) throws(Errno) -> InputDescriptor

    /// Reads the keys that an event device has.
    func keys(of device: InputDescriptor) throws(Errno) -> Set<KeyCode>

    /// Has an event device report the given keys only.
    func select(_ keys: Set<KeyCode>, of device: InputDescriptor) throws(Errno)

    /// Takes an event device for this descriptor alone.
    func grab(_ device: InputDescriptor) throws(Errno)

    /// The paths of the GPIO chips, in the order of their numbers.
    func chips() -> [String]

    /// Reads the label of a GPIO chip, and the number of its lines.
    func describe(_ chip: InputDescriptor) throws(Errno) -> (label: String, lines: UInt32)

    /// Reads the name and the user of a line.
    func line(_ number: UInt32, of chip: InputDescriptor) throws(Errno) -> GPIOLine

    /// Requests a line, and returns the descriptor of its events.
    func request(_ line: LineRequest, _ chip: InputDescriptor) throws(Errno) -> InputDescriptor

    /// Opens a CAN bus, and returns the descriptor of its messages, one message a read.
    func bus(_ request: CANRequest) throws(Errno) -> InputDescriptor
}

/// An open device, which is closed when its last reference is released.
package final class InputDescriptor: Sendable {
    package let number: CInt

    package init(_ number: CInt) { self.number = number }

    deinit { close(number) }

    /// Reads whole records of events without waiting.
    ///
    /// - Parameters:
    ///   - type: The type of the records, a plain structure of C.
    ///   - limit: The largest number of records.
    /// - Returns: The records; empty when none is pending.
    /// - Throws: The error of a device that is gone; `EPIPE` at the end of a test's pipe.
    func read<Record: BitwiseCopyable>(_ type: Record.Type, limit: Int) throws(Errno) -> [Record] {
        let stride = MemoryLayout<Record>.stride
        let (records, error) = unsafe withUnsafeTemporaryAllocation(
            byteCount: stride * limit, alignment: MemoryLayout<Record>.alignment
        ) { buffer -> ([Record], CInt) in
            let count = unsafe Glibc.read(number, buffer.baseAddress, buffer.count)
            guard count > 0 else { return ([], count == 0 ? EPIPE : errno) }
            let offsets = Swift.stride(from: 0, through: count - stride, by: stride)
            return (offsets.map { unsafe buffer.load(fromByteOffset: $0, as: type) }, 0)
        }
        if error == 0 || error == EAGAIN || error == EINTR { return records }
        throw Errno(rawValue: error)
    }
}
