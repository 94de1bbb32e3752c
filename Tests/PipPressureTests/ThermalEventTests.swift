import Testing

@testable import PipPressure

@Suite("Thermal events")
struct ThermalEventTests {
    /// A netlink attribute with its header and padding.
    private static func field(_ type: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        [UInt8(4 + bytes.count), 0, type, 0] + bytes + Array(repeating: 0, count: (4 - bytes.count % 4) % 4)
    }

    private static func message(type: UInt8, command: UInt8, _ fields: [UInt8]) -> [UInt8] {
        [UInt8(20 + fields.count), 0, 0, 0, type, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, command, 1, 0, 0] + fields
    }

    private static func group(_ name: String, _ number: UInt8) -> [UInt8] {
        field(2, [number, 0, 0, 0]) + field(1, Array(name.utf8) + [0])
    }

    private static let family =
        field(2, Array("thermal".utf8) + [0]) + field(1, [0x1B, 0])
        + field(7, field(1, group("sampling", 5)) + field(2, group("event", 6)))

    @Test("the request names the thermal family")
    func question() {
        let question = NetlinkMessage.question(family: "thermal")
        #expect(
            question == [
                32, 0, 0, 0, 16, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 3, 1, 0, 0, 12, 0, 2, 0,
            ] + Array("thermal".utf8) + [0])
    }

    @Test("the IDs of family and group are those of the kernel's reply")
    func answer() throws {
        let numbers = try #require(
            ThermalEvents.numbers(in: NetlinkMessage.list(in: Self.message(type: 16, command: 1, Self.family))))
        #expect(numbers.family == 0x1B)
        #expect(numbers.group == 6)
    }

    @Test("row 70: a kernel without the thermal family gives no IDs")
    func missing() {
        // The reply is NLMSG_ERROR with -ENOENT, followed by the request.
        let error: [UInt8] =
            [36, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF] + Array(repeating: 0, count: 16)
        #expect(ThermalEvents.numbers(in: NetlinkMessage.list(in: error)) == nil)
    }

    @Test("row 70: thermal events are parsed from any bytes without harm", arguments: 0..<64)
    func damaged(length: Int) {
        let whole = Self.message(type: 16, command: 1, Self.family)
        let cut = Array(whole.prefix(length))
        #expect(ThermalEvents.numbers(in: NetlinkMessage.list(in: cut)) == nil)
        for byte in [UInt8(0), 1, 3, 0xFF] {
            var damaged = whole
            damaged[length % damaged.count] = byte
            _ = ThermalEvents.numbers(in: NetlinkMessage.list(in: damaged))
        }
    }

    @Test("trip and cooling events wake the monitor, new or lost sensors lead to a search, and others are ignored")
    func meaning() {
        // The commands TZ_TRIP_UP, TZ_TRIP_DOWN and CDEV_STATE_UPDATE of linux/thermal.h.
        for command in [UInt8(5), 6, 12] { #expect(ThermalEvents.meaning(of: command) == .thermal) }
        // The commands TZ_CREATE, TZ_DELETE, TZ_TRIP_CHANGE and CDEV_ADD.
        for command in [UInt8(1), 2, 7, 10] { #expect(ThermalEvents.meaning(of: command) == .changedSensors) }
        // The commands TZ_GOV_CHANGE and CPU_CAPABILITY_CHANGE, and unassigned numbers.
        for command in [UInt8(0), 13, 14, 200] { #expect(ThermalEvents.meaning(of: command) == nil) }
    }

    @Test("stall events come at the level fair, in windows that need no privilege")
    func triggers() {
        #expect(StallTrigger.text(for: .cpu) == "some 800000 2000000")
        #expect(StallTrigger.text(for: .memory) == "full 40000 2000000")
        #expect(StallTrigger.text(for: .io) == "full 400000 2000000")
    }
}
