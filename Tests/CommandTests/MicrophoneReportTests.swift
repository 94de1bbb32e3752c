import Foundation
import PipTestSupport
import Testing

@testable import PipCapture
@testable import PipCompose
@testable import PipRig
@testable import PipSound
@testable import pip_compose

@Suite("Lists of microphones for people and programs")
struct MicrophoneReportTests {
    private let kernel = FakeKernel()
    private let tree: SoundTree

    init() throws { tree = try SoundTree() }

    private var report: MicrophoneReport {
        get throws {
            try MicrophoneReport(AudioDirectory(root: tree.root), cameras: CameraDirectory(calls: kernel))
        }
    }

    private func plugIn(_ path: String, card: String, port: String) {
        var camera = FakeCamera()
        camera.card = card
        camera.busInfo = "usb-0000:00:14.0-\(port)"
        camera.usb = FakeCamera.USB(serial: port)
        camera.sysfsLink =
            "../../devices/pci0000:00/0000:00:14.0/usb1/1-\(port)/1-\(port):1.0/video4linux/\(path.dropFirst(5))"
        kernel.add(path, camera)
    }

    private func addMicrophone(_ number: Int, id: String, port: String) throws {
        try tree.add(
            number, id: id, name: "Card \(id)", device: "pci0000:00/0000:00:14.0/usb1/1-\(port)/1-\(port):1.2",
            usbID: "046d:0\(number)2d", captures: [0])
    }

    @Test("a microphone stands with the camera of its USB device, also when others are between")
    func pairs() throws {
        plugIn("/dev/video0", card: "Rear", port: "1")
        plugIn("/dev/video2", card: "Front", port: "2.4")
        try addMicrophone(0, id: "Front", port: "2.4")
        try addMicrophone(1, id: "Table", port: "3")
        try addMicrophone(2, id: "Rear", port: "1")
        let report = try report
        #expect(report.microphones.map { $0.camera?.device.card } == ["Front", nil, "Rear"])
        #expect(report.microphones.map { $0.camera?.index } == [1, nil, 0])
        let text = report.text
        for part in [
            "3 microphones\n", "microphone 0  Card Front", "hw:CARD=Front,DEV=0 (USB Audio)",
            "camera    camera:1  Front", "port      usb-0000:00:14.0-3",
        ] {
            #expect(text.contains(part), "\(part) is missing in:\n\(text)")
        }
    }

    @Test("the document has what the text has, for programs")
    func document() throws {
        plugIn("/dev/video0", card: "Rear", port: "1")
        try addMicrophone(0, id: "Rear", port: "1")
        try addMicrophone(1, id: "Table", port: "3")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(report.document.pretty.utf8)) as? [String: Any])
        let microphones = try #require(object["microphones"] as? [[String: Any]])
        #expect(microphones.map { $0["select"] as? String } == ["hw:CARD=Rear,DEV=0", "hw:CARD=Table,DEV=0"])
        #expect((microphones[0]["camera"] as? [String: Any])?["index"] as? Int == 0)
        #expect(microphones[1]["camera"] is NSNull)
    }

    @Test("without cards it says what helps; without a sound system it is an error")
    func nothing() throws {
        let error = #expect(throws: SoundError.self) { try report }
        #expect(
            CommandError(error ?? SoundError(.notFound, subject: "", operation: "", reason: "")).status == .unavailable)
        try tree.write("--- no soundcards ---", to: "proc/asound/cards")
        #expect(try report.text.hasPrefix("No microphone found."))
        #expect(try report.document == .object(["microphones": JSON.array([])]))
    }
}
