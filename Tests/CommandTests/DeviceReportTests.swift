import CV4L2
import Foundation
import PipTestSupport
import SystemPackage
import Testing

@testable import PipCapture
@testable import PipCompose
@testable import PipRig
@testable import pip_compose

@Suite("Lists of cameras")
struct DeviceReportTests {
    private let kernel = FakeKernel()

    private func plugIn(_ path: String, card: String, serial: String?, port: String = "1") {
        var camera = FakeCamera()
        camera.card = card
        camera.busInfo = "usb-0000:00:14.0-\(port)"
        camera.usb = FakeCamera.USB(serial: serial)
        camera.sysfsLink =
            "../../devices/pci0000:00/0000:00:14.0/usb1/1-\(port)/1-\(port):1.0/video4linux/\(path.dropFirst(5))"
        camera.formats = [
            FakeCamera.Format(
                "YUYV", sizes: .discrete([PixelSize(640, 480), .hd720]),
                rates: .discrete([FrameRate(15), FrameRate(30)])),
            FakeCamera.Format("MJPG", 1920, 1080), FakeCamera.Format("MPG4", 1920, 1080),
        ]
        kernel.add(path, camera)
    }

    private var report: DeviceReport { DeviceReport(CameraDirectory(calls: kernel)) }

    @Test("without a camera it says what was looked for and what helps")
    func noCameras() {
        let text = report.text
        #expect(text.hasPrefix("No camera found."))
        for help in ["/dev/video0", "ls -l /dev/video*", "usermod -aG video", "docker run --device", "pattern:scene"] {
            #expect(text.contains(help))
        }
        #expect(
            report.document.line
                == #"{"cameras": [], "unusable": [], "libcamera": [], "virtual_cameras": []}"#)
    }

    @Test("in a sandbox, and where there is a portal, it says which source asks for a camera")
    func portals() {
        #expect(report.portalCameras.note == nil)
        #expect(
            PortalCameras(sandbox: nil, isOffered: true).note?.contains("camera:portal asks it for a camera") == true)
        kernel.setText("[Application]\nname=org.example.Cameras", of: "/.flatpak-info")
        let note = "Flatpak keeps devices away from here; camera:portal asks the desktop for a camera"
        #expect(report.text.contains("\n  Or: \(note).\n"))
        let findings = CameraCheck(CameraDirectory(calls: kernel)).findings
        #expect(findings.map(\.severity) == [.note, .note] && findings.last?.detail == note)
        plugIn("/dev/video0", card: "HD Pro Webcam C920", serial: "A1")
        // A sandbox with access to its cameras needs no remedy.
        #expect(!report.text.contains("camera:portal"))
        #expect(!CameraCheck(CameraDirectory(calls: kernel)).findings.contains { $0.detail == note })
    }

    @Test("a camera has its names, its formats and a command that uses it")
    func oneCamera() {
        plugIn("/dev/video0", card: "HD Pro Webcam C920", serial: "A1")
        let text = report.text
        for part in [
            "1 camera\n", "camera:0  HD Pro Webcam C920", "/dev/video0", "camera:usb-046d_0825_A1-video-index0",
            "1280x720@30/15", "640x480@30/15", "MJPG", "1920x1080@30", "--main camera:0 --inset pattern:scene",
        ] {
            #expect(text.contains(part), "\(part) is missing in:\n\(text)")
        }
        #expect(!text.contains("1280x720@15/30"))
    }

    @Test("a camera has its place, and how far it is from upright")
    func mounting() {
        plugIn("/dev/video0", card: "ov5640", serial: nil)
        kernel.change("/dev/video0") { camera in
            camera.controls = [
                .init(
                    UInt32(V4L2_CID_CAMERA_ORIENTATION), "Camera Orientation", V4L2_CTRL_TYPE_MENU, 0...2,
                    value: Int(V4L2_CAMERA_ORIENTATION_BACK)),
                .init(
                    UInt32(V4L2_CID_CAMERA_SENSOR_ROTATION), "Camera Sensor Rotation", V4L2_CTRL_TYPE_INTEGER, 0...270,
                    value: 90),
            ]
        }
        let line = "  position  back (camera:back), upright when turned by 90° counterclockwise\n"
        #expect(report.text.contains(line), "\(report.text)")
    }

    @Test("a camera that is given a place keeps it under its lasting name, and another one takes it over")
    func roles() throws {
        plugIn("/dev/video0", card: "HD Pro Webcam C920", serial: "A1")
        plugIn("/dev/video2", card: "USB Camera", serial: nil, port: "2")
        let folder = try TemporaryFolder()
        let directory = CameraDirectory(calls: kernel)
        func set(_ words: String...) throws -> String {
            let path = folder.path("settings/cameras")
            let assignments = try words.map { try RoleAssignment($0) }
            #expect(try RoleAssignment.save(assignments, directory, to: path) == path)
            let text = try #require(String(bytes: try folder.read("settings/cameras"), encoding: .utf8))
            kernel.setText(text, of: CameraRoles.machinePath)
            return text
        }
        #expect(try set("front=camera:0", "default=/dev/video2").contains("front usb-046d_0825_A1-video-index0\n"))
        #expect(report.text.contains("  position  front (camera:front)\n"), "\(report.text)")
        #expect(report.text.contains("  position  the default\n"))
        #expect(try directory.camera(matching: .first).path == "/dev/video2")
        #expect(try set("front=camera:USB Camera").contains("A1") == false)
        #expect(try directory.camera(matching: .front).path == "/dev/video2")
        #expect(try set("front=none", "default=none").hasSuffix("\nfront none\ndefault none\n"))
        #expect(throws: CaptureError.self) { try directory.camera(matching: .front) }
        #expect(throws: CommandError.self) { try RoleAssignment.save([RoleAssignment("front=camera:7")], directory) }
        for wrong in ["front", "left=camera:0", "front=", "front=webcam"] {
            #expect(throws: UsageError.self) { try RoleAssignment(wrong) }
        }
    }

    @Test("the cameras of one device say so")
    func siblings() {
        plugIn("/dev/video0", card: "Integrated Camera", serial: "A1")
        plugIn("/dev/video2", card: "Integrated Camera", serial: "A1")
        plugIn("/dev/video4", card: "USB Camera", serial: nil, port: "2")
        #expect(report.text.contains("  device    the same as that of camera:1 (/dev/video2)\n"), "\(report.text)")
        #expect(report.text.contains("  device    the same as that of camera:0 (/dev/video0)\n"))
        #expect(report.text.components(separatedBy: "the same as").count == 3)
    }

    @Test("a camera has what it can be told, by meaning and by its driver's names")
    func controls() throws {
        plugIn("/dev/video0", card: "HD Pro Webcam C920", serial: "A1")
        kernel.change("/dev/video0") { camera in
            var exposure = FakeCamera.Control(
                UInt32(V4L2_CID_EXPOSURE_AUTO), "Auto Exposure", V4L2_CTRL_TYPE_MENU, 0...3, value: 3)
            exposure.menu = [1: "Manual Mode", 3: "Aperture Priority Mode"]
            camera.controls = [
                exposure,
                .init(
                    UInt32(V4L2_CID_EXPOSURE_ABSOLUTE), "Exposure Time, Absolute", V4L2_CTRL_TYPE_INTEGER, 3...2047,
                    value: 250),
                .init(UInt32(V4L2_CID_ZOOM_ABSOLUTE), "Zoom, Absolute", V4L2_CTRL_TYPE_INTEGER, 100...400, value: 100),
            ]
        }
        let text = report.text
        for part in [
            "  adjust    exposure=auto | once | locked | 0.3ms to 204.7ms\n", "            zoom=1 to 4\n",
            "  controls  auto_exposure=3 exposure_time_absolute=250 zoom_absolute=100",
        ] {
            #expect(text.contains(part), "\(part) is missing in:\n\(text)")
        }
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(report.document.pretty.utf8)) as? [String: Any])
        let camera = try #require((object["cameras"] as? [[String: Any]])?.first)
        #expect((camera["adjustments"] as? [String: String])?["zoom"] == "1 to 4")
        let controls = try #require(camera["controls"] as? [[String: Any]])
        #expect(
            controls.map { $0["name"] as? String } == ["auto_exposure", "exposure_time_absolute", "zoom_absolute"])
        #expect(
            StarterFile(CameraDirectory(calls: kernel)).text.contains(
                "# controls: {exposure: auto | once | locked | 0.3ms"))
    }

    @Test("two alike are told apart by their ports, and it says so")
    func ambiguousCameras() {
        plugIn("/dev/video0", card: "Twin", serial: "1", port: "1")
        plugIn("/dev/video2", card: "Twin", serial: "1", port: "2")
        let text = report.text
        #expect(text.contains("share the serial number 1"))
        #expect(text.contains("usb-0:2:1.0-video-index0"))
        #expect(text.contains("--main camera:0 --inset camera:1"))
    }

    @Test("nodes that may not be opened are listed with the command that helps")
    func unusableNodes() {
        plugIn("/dev/video0", card: "Locked", serial: "1")
        kernel.change("/dev/video0") { $0.openError = .permissionDenied }
        kernel.setText("video:x:44:", of: "/etc/group")
        let text = report.text
        #expect(text.contains("none can be used"))
        #expect(text.contains("/dev/video0: cannot open the camera"))
        #expect(text.contains("sudo usermod -aG video $USER"))
        #expect(CameraCheck(CameraDirectory(calls: kernel)).findings.map(\.severity) == [.problem])
    }

    @Test("the document has what the text has, for programs")
    func document() throws {
        plugIn("/dev/video0", card: "HD Pro Webcam C920", serial: "A1")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(report.document.pretty.utf8)) as? [String: Any])
        let camera = try #require((object["cameras"] as? [[String: Any]])?.first)
        #expect(camera["select"] as? String == "camera:usb-046d_0825_A1-video-index0")
        let formats = try #require(camera["formats"] as? [[String: Any]])
        #expect(formats.map { $0["format"] as? String } == ["YUYV", "MJPG", "MPG4"])
        #expect(formats.map { $0["usable"] as? Bool } == [true, true, false])
    }

    @Test(
        "missing cameras are replaced by patterns, and it says so",
        arguments: [
            (0, ["pattern:scene", "pattern:scene?seed=1"], "no camera found"),
            (1, ["/dev/video0", "pattern:scene?seed=1"], "one camera found"), (2, ["/dev/video0", "/dev/video1"], nil),
        ])
    func defaults(_ count: Int, _ sources: [String], _ note: String?) {
        for index in 0..<count {
            plugIn("/dev/video\(index)", card: "Camera \(index)", serial: "\(index)", port: "\(index + 1)")
        }
        let chosen = DefaultSources(CameraDirectory(calls: kernel))
        #expect([chosen.main.text, chosen.inset.text] == sources)
        #expect(chosen.note?.contains(note ?? "") == note.map { _ in true })
    }
}
