internal import CPlatform
internal import Glibc

/// The kernel's thermal events, as a reason to read the sensors at once.
///
/// Their contents are not used.
///
/// Source: `linux/thermal.h`, the family "thermal" of generic netlink.
final class ThermalEvents: WakeSource {
    private static let family = "thermal"
    private static let group = "event"
    /// The limit of reads from the socket per wake.
    private static let mostReadings = 64

    let descriptor: Int32
    var events: Int32 { Int32(POLLIN) }
    /// The family's number, which the kernel assigned.
    private let number: Int

    /// Subscribes to the events; nil where the kernel has none.
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
                    // A change of the set of sensors outweighs an event of one sensor.
                    if wake != .changedSensors { wake = Self.meaning(of: message.command) ?? wake }
                }
            case .failure(let error):
                switch error.number {
                case EAGAIN: return wake
                // Events were lost, so all sensors are read.
                case ENOBUFS: wake = .changedSensors
                case EINTR: continue
                default: throw WakeSourceLost()
                }
            }
        }
        return wake
    }

    /// The reason to wake for an event; nil for an irrelevant one.
    static func meaning(of command: UInt8) -> EarlyWake? {
        switch thermal_genl_event(UInt32(command)) {
        case THERMAL_GENL_EVENT_TZ_TRIP_UP, THERMAL_GENL_EVENT_TZ_TRIP_DOWN, THERMAL_GENL_EVENT_CDEV_STATE_UPDATE:
            .thermal
        case THERMAL_GENL_EVENT_TZ_CREATE, THERMAL_GENL_EVENT_TZ_DELETE, THERMAL_GENL_EVENT_TZ_TRIP_CHANGE,
            THERMAL_GENL_EVENT_TZ_TRIP_ADD, THERMAL_GENL_EVENT_TZ_TRIP_DELETE, THERMAL_GENL_EVENT_CDEV_ADD,
            THERMAL_GENL_EVENT_CDEV_DELETE:
            .changedSensors
        // Other events, such as processor capabilities, occur many times a second.
        default: nil
        }
    }

    /// The numbers of the family and of its group, from the kernel's answer; nil without such a family.
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
        // The kernel answers before `send` returns.
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
