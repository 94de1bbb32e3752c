import Foundation
import PipConcurrency
import PipFrames
import PipTestSupport
import SystemPackage
import Testing

@testable import PipInputs

@Suite("CAN buses", .timeLimit(.minutes(2)))
struct CANInputTests {
    private let devices = FakeInputs()
    private let told = Monitor<(messages: [CANMessage], problems: [String], backCount: Int)>(([], [], 0))

    private func reader(_ identifiers: UInt32...) -> InputReader {
        let request = CANRequest(interface: "can0", filters: identifiers.map { .init($0, mask: .max) })
        return InputReader(.messages(request), devices) { [told] event in
            told.update { told in
                switch event {
                case .reading(.messages(let messages), _): told.messages += messages
                case .missing(let problem): told.problems.append(problem.description)
                case .back: told.backCount += 1
                default: break
                }
            }
        }
    }

    @Test("give the messages that were requested, in their order, short and long ones")
    func messages() async throws {
        devices.add(bus: "can0")
        let reader = reader(0x1a0, 0x8cf0_0400)
        defer { reader.stop() }
        #expect(await becomes { devices.readers(of: "can0") == 1 })
        let long = [UInt8](0..<64)
        devices.send(0x1a0, [1, 2, 3], to: "can0")
        devices.send(0x1a1, [9], to: "can0")
        devices.send(0x8cf0_0400, long, to: "can0")
        devices.send(0x1a0, [4, 5, 6, 7, 8, 9, 10, 11], to: "can0")
        let expected = [
            CANMessage(0x1a0, [1, 2, 3]), CANMessage(0x8cf0_0400, long),
            CANMessage(0x1a0, [4, 5, 6, 7, 8, 9, 10, 11]),
        ]
        #expect(await becomes { told.read { $0.messages == expected } })
        #expect(told.read { $0.problems.isEmpty })
    }

    @Test("that the controller leaves are told until the next message")
    func busOff() async throws {
        devices.add(bus: "can0")
        let reader = reader(5)
        defer { reader.stop() }
        #expect(await becomes { devices.readers(of: "can0") == 1 })
        devices.send(0x2000_0040, [UInt8](repeating: 0, count: 8), to: "can0", isError: true)
        #expect(await becomes { told.read { $0.problems.count == 1 } })
        #expect(told.read { $0.problems.first?.contains("the bit rate may be wrong") == true })
        devices.send(5, [1], to: "can0")
        #expect(await becomes { told.read { $0.messages == [CANMessage(5, [1])] && $0.backCount == 1 } })
    }

    @Test(
        "that cannot be opened have a reason with what to do",
        arguments: [
            (Errno.networkDown, "sudo ip link set can0 up type can bitrate 500000"),
            (.addressFamilyNotSupported, "modules can and can_raw"), (.noSuchAddressOrDevice, "no such CAN bus"),
            (.notPermitted, "cannot read the CAN bus"),
        ])
    func refused(_ refusal: Errno, _ part: String) async throws {
        devices.add(bus: "can0", refusal: refusal)
        let reader = reader(5)
        defer { reader.stop() }
        #expect(await becomes { told.read { $0.problems.first?.contains(part) == true } })
    }

    @Test("of the kernel's own are named when they are not there")
    func kernel() throws {
        let error = #expect(throws: InputProblem.self) {
            _ = try CANInput(CANRequest(interface: "nocan7", filters: [.init(5, mask: 0x7ff)]), KernelInputs())
        }
        // A kernel without CAN says so first.
        let text = error?.description ?? ""
        #expect(text.hasPrefix("nocan7: there is no such CAN bus") || text.hasPrefix("nocan7: this kernel has no CAN"))
    }

    @Test("are found in sysfs, and one that is down with its command")
    func survey() throws {
        let folder = try TemporaryFolder()
        for (name, type, flags) in [("can0", "280", "0x41"), ("can1", "280", "0x40"), ("eth0", "1", "0x1003")] {
            try FileManager.default.createDirectory(
                atPath: folder.path("sys/class/net/\(name)"), withIntermediateDirectories: true)
            try folder.write(Array("\(type)\n".utf8), to: "sys/class/net/\(name)/type")
            try folder.write(Array("\(flags)\n".utf8), to: "sys/class/net/\(name)/flags")
        }
        let buses = InputSurvey(KernelInputs(root: folder.path(""))).buses
        #expect(buses.map(\.interface) == ["can0", "can1"])
        #expect(buses.map { $0.problem?.description.contains("ip link set can1 up") } == [nil, true])
    }
}
