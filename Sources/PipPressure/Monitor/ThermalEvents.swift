internal import CPlatform
internal import Glibc

/// Thermal events of the kernel, which cause the sensors to be read at once.
///
/// The values in the events are not used.
///
/// Source: `linux/thermal.h`, the generic netlink family "thermal".
final class ThermalEvents: WakeSource {
    private static let family = "thermal"
    private static let group = "event"
    /// The largest number of reads from the socket for one wake-up.
    private static let mostReadings = 64

    let descriptor: Int32
    var events: Int32 { Int32(POLLIN) }
    /// The ID that the kernel has assigned to the netlink family.
    private let number: Int

    /// Subscribes to the kernel's thermal events; nil when the kernel offers no such events or refuses the
    /// subscription.
    init?() {
        descriptor = pip_generic_netlink_socket()
        guard descriptor >= 0 else { return nil }
        guard let found = Self.ask(descriptor), pip_netlink_join(descriptor, found.group) == 0 else {
            close(descriptor)
            return nil
        }
        number = found.family
    }

    deinit { close(descriptor) }

    func take(_ ready: Int32) throws(WakeSourceLost) -> EarlyWake? {
        var wake: EarlyWake?
        for _ in 0..<Self.mostReadings {
            switch Self.receive(descriptor) {
            case .success(let bytes):
                for message in NetlinkMessage.list(in: bytes) where message.type == number {
                    // A change in the set of sensors takes precedence over an event of one sensor.
                    if wake != .changedSensors { wake = Self.meaning(of: message.command) ?? wake }
                }
            case .failure(let error):
                switch error.number {
                case EAGAIN: return wake
                // The socket's buffer overflowed and events were lost, so the sensors are enumerated again.
                case ENOBUFS: wake = .changedSensors
                case EINTR: continue
                default: throw WakeSourceLost()
                }
            }
        }
        return wake
    }

    /// The reason for an early sample that an event gives; nil for an irrelevant event.
    static func meaning(of command: UInt8) -> EarlyWake? {
        switch thermal_genl_event(UInt32(command)) {
        case THERMAL_GENL_EVENT_TZ_TRIP_UP, THERMAL_GENL_EVENT_TZ_TRIP_DOWN, THERMAL_GENL_EVENT_CDEV_STATE_UPDATE:
            .thermal
        case THERMAL_GENL_EVENT_TZ_CREATE, THERMAL_GENL_EVENT_TZ_DELETE, THERMAL_GENL_EVENT_TZ_TRIP_CHANGE,
            THERMAL_GENL_EVENT_TZ_TRIP_ADD, THERMAL_GENL_EVENT_TZ_TRIP_DELETE, THERMAL_GENL_EVENT_CDEV_ADD,
            THERMAL_GENL_EVENT_CDEV_DELETE:
            .changedSensors
        // Other events, such as changes of processor capabilities, may occur many times a second.
        default: nil
        }
    }

    /// The IDs of the netlink family and its multicast group in the kernel's answer; nil when the answer lacks either
    /// ID.
    static func numbers(in answer: [NetlinkMessage]) -> (family: Int, group: UInt32)? {
        for message in answer where message.type == Int(GENL_ID_CTRL) {
            let attributes = message.attributes
            guard let family = attributes.first(where: { $0.type == CTRL_ATTR_FAMILY_ID })?.number,
                let groups = attributes.first(where: { $0.type == CTRL_ATTR_MCAST_GROUPS })?.nested
            else { continue }
            for fields in groups.map(\.nested) {
                if fields.contains(where: { $0.type == CTRL_ATTR_MCAST_GRP_NAME && $0.text == group }),
                    let number = fields.first(where: { $0.type == CTRL_ATTR_MCAST_GRP_ID })?.number
                {
                    return (Int(family), number)
                }
            }
        }
        return nil
    }

    private static func ask(_ socket: Int32) -> (family: Int, group: UInt32)? {
        let question = NetlinkMessage.question(family: family)
        let sent = unsafe question.withUnsafeBytes { unsafe send(socket, $0.baseAddress, $0.count, 0) }
        guard sent == question.count else { return nil }
        // The kernel's answer is in the socket's buffer as soon as `send` returns.
        guard case .success(let answer) = receive(socket) else { return nil }
        return numbers(in: NetlinkMessage.list(in: answer))
    }

    private struct ReceiveError: Error {
        let number: Int32
    }

    private static func receive(_ socket: Int32) -> Result<[UInt8], ReceiveError> {
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = unsafe bytes.withUnsafeMutableBytes {
            unsafe recv(socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
        }
        return count < 0 ? .failure(ReceiveError(number: errno)) : .success(Array(bytes.prefix(count)))
    }
}
