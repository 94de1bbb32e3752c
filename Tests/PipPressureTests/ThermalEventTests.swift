import Testing

@testable import PipPressure

@Suite("Thermal events")
struct ThermalEventTests {
    /// Fields of netlink, with their padding.
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

    @Test("are asked for by name")
    func question() {
        let question = NetlinkMessage.question(family: "thermal")
        #expect(
            question == [
                32, 0, 0, 0, 16, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 3, 1, 0, 0, 12, 0, 2, 0,
            ] + Array("thermal".utf8) + [0])
    }

    @Test("have the family and the group that the kernel says")
    func answer() throws {
        let numbers = try #require(
            ThermalEvents.numbers(in: NetlinkMessage.list(in: Self.message(type: 16, command: 1, Self.family))))
        #expect(numbers.family == 0x1B)
        #expect(numbers.group == 6)
    }

    @Test("row 70: are done without where the kernel has no such family")
    func missing() {
        // The bytes are NLMSG_ERROR with -ENOENT, and the request that it answers.
        let error: [UInt8] =
            [36, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF] + Array(repeating: 0, count: 16)
        #expect(ThermalEvents.numbers(in: NetlinkMessage.list(in: error)) == nil)
    }

    @Test("row 70: are read from any bytes without harm", arguments: 0..<64)
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

    @Test("wake for trips and cooling, look anew for what came or went, and let the rest pass")
    func meaning() {
        // These numbers of linux/thermal.h are TZ_TRIP_UP, TZ_TRIP_DOWN and CDEV_STATE_UPDATE.
        for command in [UInt8(5), 6, 12] { #expect(ThermalEvents.meaning(of: command) == .thermal) }
        // These are TZ_CREATE, TZ_DELETE, TZ_TRIP_CHANGE and CDEV_ADD.
        for command in [UInt8(1), 2, 7, 10] { #expect(ThermalEvents.meaning(of: command) == .changedSensors) }
        // These are TZ_GOV_CHANGE, CPU_CAPABILITY_CHANGE, and numbers of the future.
        for command in [UInt8(0), 13, 14, 200] { #expect(ThermalEvents.meaning(of: command) == nil) }
    }

    @Test("of stalls come where the level is fair, in windows that everyone may ask for")
    func triggers() {
        #expect(StallTrigger.text(for: .cpu) == "some 800000 2000000")
        #expect(StallTrigger.text(for: .memory) == "full 40000 2000000")
        #expect(StallTrigger.text(for: .io) == "full 400000 2000000")
    }
}
