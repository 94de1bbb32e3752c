internal import CPlatform
internal import PipFrames
internal import SystemPackage

/// An open CAN bus, of which the kernel passes on the requested messages.
///
/// Source: the kernel's "SocketCAN - Controller Area Network".
struct CANInput: OpenInput {
    /// The largest number of messages of one read, after which other work has its turn.
    private static let mostMessages = 512
    /// The number of bytes before the data of a message in the kernel's structures, and the place of their count.
    private static let (headerSize, countIndex) = (8, 4)

    private let interface: String
    private let bus: InputDescriptor
    private(set) var missing: InputProblem?

    var descriptors: [CInt] { [bus.number] }
    var interval: Duration? { nil }

    init(_ request: CANRequest, _ devices: any InputDevices) throws(InputProblem) {
        interface = request.interface
        do throws(Errno) { bus = try devices.bus(request) } catch {
            throw InputProblem(bus: request.interface, error)
        }
    }

    mutating func read(at now: Timestamp, _ take: (InputReading, Timestamp) -> Void) throws(InputProblem) {
        var messages: [CANMessage] = []
        // What was read before the bus failed counts.
        defer { if !messages.isEmpty { take(.messages(messages), now) } }
        do throws(Errno) {
            for _ in 0..<Self.mostMessages {
                let bytes = try bus.read(UInt8.self, limit: MemoryLayout<canfd_frame>.size)
                guard bytes.count > Self.headerSize else { break }
                let identifier = bytes[..<4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                let isError = identifier & CAN_ERR_FLAG != 0
                if isError {
                    missing = InputProblem(
                        "\(interface): the controller is off the bus after too many errors: the bit rate may be wrong; "
                            + "`ip link set \(interface) type can restart-ms 100` lets it return")
                    continue
                }
                missing = nil
                let data = bytes.dropFirst(Self.headerSize).prefix(Int(bytes[Self.countIndex]))
                messages.append(CANMessage(identifier, Array(data)))
            }
        } catch { throw InputProblem(bus: interface, error) }
    }
}

extension InputProblem {
    /// The problem of a CAN bus that cannot be opened or read.
    init(bus interface: String, _ errno: Errno) {
        switch errno {
        case .operationNotSupportedByDevice, .noSuchAddressOrDevice:
            self.init("\(interface): there is no such CAN bus; `ip -brief link show type can` lists them")
        case .addressFamilyNotSupported, .protocolNotSupported:
            self.init("\(interface): this kernel has no CAN; it needs the modules can and can_raw")
        case .networkDown:
            self.init("\(interface) is down: run `sudo ip link set \(interface) up type can bitrate 500000`")
        default: self.init("\(interface): cannot read the CAN bus: \(errno)")
        }
    }
}
