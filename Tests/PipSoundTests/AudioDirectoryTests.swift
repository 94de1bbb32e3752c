import Foundation
import PipTestSupport
import Testing

@testable import PipSound

@Suite("Lists of microphones")
struct AudioDirectoryTests {
    private let tree: SoundTree

    init() throws { tree = try SoundTree() }

    private var directory: AudioDirectory { AudioDirectory(root: tree.root) }

    @Test("a camera's microphone has its names, its port and its camera")
    func camera() throws {
        try tree.add(0, id: "PCH", name: "HDA Intel PCH", device: "pci0000:00/0000:00:1f.3", captures: [0, 2])
        try tree.add(
            1, id: "C920", name: "HD Pro Webcam C920", device: "pci0000:00/0000:00:14.0/usb1/1-2/1-2:1.2",
            usbID: "046d:082d", captures: [0])
        let devices = try directory.microphones()
        #expect(devices.map(\.name) == ["hw:CARD=PCH,DEV=0", "hw:CARD=PCH,DEV=2", "hw:CARD=C920,DEV=0"])
        #expect(devices.map(\.stableName) == devices.map(\.name))
        #expect(devices.map(\.usbPort) == [nil, nil, "usb-0000:00:14.0-2"])
        #expect(devices[2].card == "HD Pro Webcam C920" && devices[2].usbID == "046d:082d")
        #expect(devices[2].stream == "USB Audio" && !devices[2].isInUse)
        #expect(AudioDevice.microphone(ofCameraAt: "usb-0000:00:14.0-2", among: devices) == devices[2])
        #expect(AudioDevice.microphone(ofCameraAt: "usb-0000:00:14.0-3", among: devices) == nil)
    }

    @Test(
        "a port has the form in which camera drivers report it",
        arguments: [
            ("/sys/devices/pci0000:00/0000:00:14.0/usb1/1-2/1-2.4/1-2.4:1.0", "usb-0000:00:14.0-2.4"),
            ("/sys/devices/platform/soc/3f980000.usb/usb1/1-1/1-1.3/1-1.3:1.2", "usb-3f980000.usb-1.3"),
            (
                "/sys/devices/platform/axi/1000120000.pcie/1f00200000.usb/xhci-hcd.0/usb3/3-1/3-1:1.2",
                "usb-xhci-hcd.0-1"
            ),
            ("/sys/devices/pci0000:00/0000:00:1f.3", nil), ("/sys/devices/usb1", nil),
        ])
    func ports(folder: String, port: String?) {
        #expect(AudioDirectory.usbPort(ofDevice: folder) == port)
    }

    @Test("cards that only play are left out, and a card that another program records from says so")
    func captures() throws {
        try tree.add(0, id: "HDMI", name: "HDA NVidia", device: "pci0000:00/0000:01:00.1", captures: [])
        try tree.add(
            3, id: "Device", name: "USB PnP Sound Device", device: "pci0000:00/0000:00:14.0/usb1/1-4/1-4:1.0",
            captures: [0], isBusy: true)
        let devices = try directory.microphones()
        #expect(devices.map(\.numberedName) == ["hw:3,0"])
        #expect(devices[0].isInUse)
    }

    @Test("two cards of one model are named by port, with the reason")
    func twins() throws {
        for (number, id, port) in [(0, "C920", 1), (1, "C920_1", 2)] {
            try tree.add(
                number, id: id, name: "HD Pro Webcam C920",
                device: "pci0000:00/0000:00:14.0/usb1/1-\(port)/1-\(port):1.2", usbID: "046d:082d", captures: [0])
        }
        let devices = try directory.microphones()
        #expect(devices.map(\.stableName) == ["usb-0000:00:14.0-1", "usb-0000:00:14.0-2"])
        #expect(devices[0].ambiguity?.contains("named by port") == true)
        #expect(try directory.microphone(named: "usb-0000:00:14.0-2") == devices[1])
        let error = #expect(throws: SoundError.self) { try directory.microphone(named: "webcam") }
        #expect(error?.kind == .ambiguous)
        #expect(error?.description.hasSuffix("(say which: usb-0000:00:14.0-1 or usb-0000:00:14.0-2)") == true)
    }

    @Test(
        "a microphone is found by name, number, port and a part of its card's name",
        arguments: ["hw:CARD=C920,DEV=0", "hw:1,0", "1", "c920", "pro webcam", "usb-0000:00:14.0-2"])
    func names(name: String) throws {
        try tree.add(0, id: "PCH", name: "HDA Intel PCH", device: "pci0000:00/0000:00:1f.3", captures: [0])
        try tree.add(
            1, id: "C920", name: "HD Pro Webcam C920", device: "pci0000:00/0000:00:14.0/usb1/1-2/1-2:1.2", captures: [0]
        )
        #expect(try directory.microphone(named: name).cardNumber == 1)
    }

    @Test("the default device is not a microphone, and the error lists the microphones")
    func defaultDevice() throws {
        try tree.add(0, id: "PCH", name: "HDA Intel PCH", device: "pci0000:00/0000:00:1f.3", captures: [0])
        let error = #expect(throws: SoundError.self) { try directory.microphone(named: "default") }
        #expect(error?.kind == .notFound)
        #expect(
            error?.description
                == "default: cannot find the microphone: no microphone has this name "
                + "(the microphones are hw:CARD=PCH,DEV=0 (HDA Intel PCH))")
    }

    @Test("a missing sound system is an error with advice, and without cards the list is empty")
    func nothing() throws {
        let error = #expect(throws: SoundError.self) { try directory.microphones() }
        #expect(error?.kind == .unavailable)
        #expect(error?.description.contains("modprobe snd-usb-audio") == true)
        try tree.write("--- no soundcards ---", to: "proc/asound/cards")
        #expect(try directory.microphones() == [])
    }

    @Test("damaged files leave a card out, or without a name")
    func damaged() throws {
        try tree.write("garbage [\n]: \n 0 [x", to: "proc/asound/cards")
        try tree.write("\n", to: "proc/asound/card0/id")
        try tree.write("USB", to: "proc/asound/card1/id")
        try tree.write("", to: "proc/asound/card1/pcm0c/info")
        try tree.write("x", to: "proc/asound/card1/pcmXc/info")
        try tree.write("x", to: "proc/asound/cardless/id")
        #expect(try directory.microphones().map(\.description) == ["USB (hw:CARD=USB,DEV=0)"])
    }
}
