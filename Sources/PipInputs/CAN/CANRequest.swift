/// The messages of a CAN bus that a program reads.
package struct CANRequest: Hashable, Sendable {
    /// A choice of messages: those whose identifiers equal `identifier` in the bits of `mask`.
    package struct Filter: Hashable, Sendable {
        package let identifier: UInt32
        package let mask: UInt32

        package init(_ identifier: UInt32, mask: UInt32) { (self.identifier, self.mask) = (identifier, mask) }
    }

    /// The network interface of the bus, such as `can0`.
    package let interface: String
    /// The choices of messages, at most 512; the kernel drops all other messages.
    ///
    /// Identifiers of 29 bits have bit 31 set, as in the kernel and in DBC files.
    package let filters: [Filter]

    package init(interface: String, filters: [Filter]) { (self.interface, self.filters) = (interface, filters) }
}

/// A message of a CAN bus.
package struct CANMessage: Hashable, Sendable {
    /// The identifier; one of 29 bits has bit 31 set.
    package let identifier: UInt32
    /// The data: at most 8 bytes, or 64 of CAN FD.
    package let bytes: [UInt8]

    package init(_ identifier: UInt32, _ bytes: [UInt8]) { (self.identifier, self.bytes) = (identifier, bytes) }
}
