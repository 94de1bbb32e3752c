import PipTestSupport
import Testing

@testable import PipCapture

@Suite("Names of cameras")
struct DeviceNameTests {
    @Test(
        "names by path follow udev's rule",
        arguments: [
            (
                "../../devices/pci0000:00/0000:00:14.0/usb1/1-2/1-2:1.0/video4linux/video0",
                "pci-0000:00:14.0-usb-0:2:1.0-video-index0"
            ),
            (
                "../../devices/pci0000:00/0000:00:1c.0/0000:03:00.0/usb4/4-1/4-1.3/4-1.3:1.0/video4linux/video7",
                "pci-0000:03:00.0-usb-0:1.3:1.0-video-index0"
            ),
            ("../../devices/platform/vivid.0/video4linux/video0", "platform-vivid.0-video-index0"),
            (
                "../../devices/platform/soc/fe801000.csi/video4linux/video0",
                "platform-fe801000.csi-video-index0"
            ),
            (
                "../../devices/platform/scb/fd500000.pcie/pci0000:00/0000:00:00.0/0000:01:00.0/usb1/1-1/1-1.2/1-1.2:1.0"
                    + "/video4linux/video0", "pci-0000:01:00.0-usb-0:1.2:1.0-video-index0"
            ),
            (
                "../../devices/platform/soc/3f980000.usb/usb1/1-1/1-1.2/1-1.2:1.0/video4linux/video0",
                "platform-3f980000.usb-usb-0:1.2:1.0-video-index0"
            ),
        ])
    func byPath(link: String, name: String) { #expect(DeviceNames.byPath(link: link, index: 0) == name) }

    @Test("virtual devices have no name by path")
    func noPlace() {
        #expect(DeviceNames.byPath(link: "../../devices/virtual/video4linux/video0", index: 0) == nil)
    }

    @Test("names replace characters that file names should not have")
    func byID() {
        let usb = USBIdentity(
            vendor: "046d", product: "0825", serial: "A 1/2", manufacturer: "Lögitech, Inc", productName: nil)
        #expect(DeviceNames.byID(usb, index: 1) == "usb-L_gitech__Inc_0825_A_1_2-video-index1")
    }

    /// Cameras of one model, each at its port.
    private func cameras(serials: [String?]) -> [CameraDevice] {
        let kernel = FakeKernel()
        for (port, serial) in serials.enumerated() {
            var camera = FakeCamera()
            camera.busInfo = "usb-0000:00:14.0-\(port)"
            camera.usb = FakeCamera.USB(serial: serial)
            camera.sysfsLink =
                "../../devices/pci0000:00/0000:00:14.0/usb1/1-\(port)/1-\(port):1.0/video4linux/video\(port)"
            kernel.add("/dev/video\(port)", camera)
        }
        return CameraDirectory(calls: kernel).cameras()
    }

    @Test("names follow the unit when serial numbers tell units apart")
    func uniqueSerials() {
        let cameras = cameras(serials: ["A", "B"])
        #expect(
            cameras.map(\.stableName) == ["usb-046d_0825_A-video-index0", "usb-046d_0825_B-video-index0"])
        #expect(cameras.allSatisfy { $0.ambiguity == nil })
    }

    @Test(
        "names follow the port, and say why, when serial numbers are equal or missing",
        arguments: [["A", "A"], [nil, nil]])
    func sharedSerials(serials: [String?]) {
        let cameras = cameras(serials: serials)
        #expect(cameras.map(\.stableName) == (0..<2).map { "pci-0000:00:14.0-usb-0:\($0):1.0-video-index0" })
        let why = serials[0] == nil ? "have no serial number" : "share the serial number A"
        #expect(cameras.allSatisfy { $0.ambiguity == "2 cameras of this model \(why): named by port, not by unit" })
    }

    @Test("names fall back to the bus, and then to the node with a warning")
    func sharedPlaces() {
        let kernel = FakeKernel()
        for (number, bus) in ["platform:a", "platform:b", "x", "x"].enumerated() {
            var camera = FakeCamera()
            camera.busInfo = bus
            camera.sysfsLink = "../../devices/platform/vivid.0/video4linux/video\(number)"
            kernel.add("/dev/video\(number)", camera)
        }
        let cameras = CameraDirectory(calls: kernel).cameras()
        #expect(cameras.map(\.stableName) == ["platform:a", "platform:b", "/dev/video2", "/dev/video3"])
        #expect(cameras.map { $0.ambiguity != nil } == [false, false, true, true])
    }

    @Test("names are udev's own where udev runs")
    func udev() throws {
        let kernel = FakeKernel()
        kernel.add("/dev/video0")
        kernel.setFolder("/dev/v4l/by-id", ["usb-other-video-index0", "usb-mine-video-index0"])
        kernel.setLink("/dev/v4l/by-id/usb-other-video-index0", to: "../../video10")
        kernel.setLink("/dev/v4l/by-id/usb-mine-video-index0", to: "../../video0")
        kernel.setFolder("/dev/v4l/by-path", ["pci-mine-video-index0"])
        kernel.setLink("/dev/v4l/by-path/pci-mine-video-index0", to: "../../video0")
        let camera = try #require(CameraDirectory(calls: kernel).cameras().first)
        #expect(camera.byID == "usb-mine-video-index0")
        #expect(camera.byPath == "pci-mine-video-index0")
    }

    @Test("names find a camera again: by its serial number at any port, without one at its port alone")
    func foundAgain() throws {
        func replugged(_ serial: String?, from port: Int, to other: Int) throws -> CameraDevice? {
            let kernel = FakeKernel()
            func plug(_ port: Int, as path: String) {
                var camera = FakeCamera()
                camera.busInfo = "usb-0000:00:14.0-\(port)"
                camera.usb = FakeCamera.USB(serial: serial)
                kernel.add(path, camera)
            }
            plug(port, as: "/dev/video0")
            let directory = CameraDirectory(calls: kernel)
            let lost = try #require(directory.cameras().first)
            kernel.unplug("/dev/video0")
            #expect(directory.camera(like: lost) == nil)
            plug(other, as: "/dev/video1")
            return directory.camera(like: lost)
        }
        #expect(try replugged("A", from: 1, to: 2)?.path == "/dev/video1")
        #expect(try replugged(nil, from: 1, to: 1)?.path == "/dev/video1")
        #expect(try replugged(nil, from: 1, to: 2) == nil)
    }
}
