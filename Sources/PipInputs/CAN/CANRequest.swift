/// The messages of a CAN bus that a program reads.
package struct CANRequest: Hashable, Sendable {
    /// The largest number of identifiers, by the kernel's filter.
    package static let mostIdentifiers = 512

    /// The network interface of the bus, such as `can0`.
    package let interface: String
    /// The identifiers of the messages, at most 512; the kernel drops all other messages.
    ///
    /// Those of 29 bits have bit 31 set, as in the kernel and in DBC files.
    package let identifiers: [UInt32]

    package init(interface: String, identifiers: [UInt32]) {
        (self.interface, self.identifiers) = (interface, identifiers)
    }
}

/// A message of a CAN bus.
package struct CANMessage: Hashable, Sendable {
    /// The identifier; one of 29 bits has bit 31 set.
    package let identifier: UInt32
    /// The data: at most 8 bytes, or 64 of CAN FD.
    package let bytes: [UInt8]

    package init(_ identifier: UInt32, _ bytes: [UInt8]) { (self.identifier, self.bytes) = (identifier, bytes) }
}
