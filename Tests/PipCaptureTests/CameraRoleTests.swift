import CV4L2
import PipTestSupport
import SystemPackage
import Testing

@testable import PipCapture

@Suite("Users' roles for their cameras")
struct CameraRoleTests {
    private static func kernel(_ text: String) -> FakeKernel {
        let kernel = FakeKernel()
        for (index, serial) in ["A1", nil, nil].enumerated() {
            var camera = FakeCamera()
            camera.card = index == 0 ? "HD Pro Webcam C920" : "USB Camera"
            camera.busInfo = "usb-0000:00:14.0-\(3 - index)"
            camera.usb = FakeCamera.USB(serial: serial)
            kernel.add("/dev/video\(2 * index)", camera)
        }
        kernel.setText(text, of: CameraRoles.machinePath)
        return kernel
    }

    @Test(
        "a camera has the position that is set for any of its lasting names",
        arguments: ["usb-0000:00:14.0-3", "A1", "HD Pro Webcam C920"])
    func front(name: String) throws {
        let directory = CameraDirectory(calls: Self.kernel("# ours\n\nfront \(name)\n"))
        let camera = try directory.camera(matching: .front)
        #expect(camera.path == "/dev/video0" && camera.position == .front)
        #expect(throws: CaptureError.self) { try directory.camera(matching: .back) }
    }

    @Test("a position that is set overrides the driver's")
    func overrides() throws {
        let kernel = Self.kernel("back usb-0000:00:14.0-3")
        kernel.change("/dev/video0") {
            $0.controls = [
                .init(
                    UInt32(V4L2_CID_CAMERA_ORIENTATION), "Camera Orientation", V4L2_CTRL_TYPE_MENU, 0...2,
                    value: Int(V4L2_CAMERA_ORIENTATION_FRONT))
            ]
        }
        #expect(try CameraDirectory(calls: kernel).camera(matching: .back).path == "/dev/video0")
    }

    @Test("D02: without a name, the camera is the back one, else the default one, else the one at the lowest port")
    func usual() throws {
        func first(_ text: String) throws -> String {
            try CameraDirectory(calls: Self.kernel(text)).camera(matching: .first).path
        }
        #expect(try first("") == "/dev/video4")
        #expect(try first("default usb-0000:00:14.0-2") == "/dev/video2")
        #expect(try first("default usb-0000:00:14.0-2\nback A1") == "/dev/video0")
        #expect(try first("default of another machine") == "/dev/video4")
    }

    @Test("a front camera's name that fits two cameras is ambiguous")
    func claimedTwice() {
        let error = #expect(throws: CaptureError.self) {
            try CameraDirectory(calls: Self.kernel("front USB Camera")).camera(matching: .front)
        }
        #expect(error?.kind == .ambiguous)
    }

    @Test("invalid lines are kept apart, and a text is parsed as it was written")
    func lines() {
        var roles = CameraRoles("front A\nleft B\nback\ndefault  C D \n")
        #expect(roles.mistakes == ["left B", "back"])
        #expect(roles.entries.map(\.name) == ["A", "C D"])
        roles.set(.position(.front), to: "E")
        roles.set(.usual, to: nil)
        #expect(roles.entries.map(\.name) == ["E"])
        #expect(CameraRoles(roles.text).entries == roles.entries)
        #expect(CameraRoles(roles.text).mistakes == ["left B", "back"])
        #expect(CameraRoles("front A\r\nback B\r\n").entries.map(\.name) == ["A", "B"])
    }

    @Test("D06: access is authorized, denied by the node's group, or restricted by a sandbox")
    func authorization() throws {
        func answer(_ errno: Errno?) throws -> CameraAuthorization {
            let kernel = FakeKernel()
            var camera = FakeCamera()
            camera.openError = errno
            kernel.add("/dev/video0", camera)
            kernel.setText("root:x:0:\nvideo:x:44:", of: "/etc/group")
            return try CameraAuthorization(of: "/dev/video0", in: CameraDirectory(calls: kernel))
        }
        #expect(try answer(nil) == .authorized)
        #expect(try answer(.resourceBusy) == .authorized)
        guard case .denied(let hint) = try answer(.permissionDenied) else { return #expect(Bool(false)) }
        #expect(hint.contains("usermod -aG video"))
        guard case .restricted(let reason) = try answer(.notPermitted) else { return #expect(Bool(false)) }
        #expect(reason.contains("--device /dev/video0"))
        #expect(throws: CaptureError.self) { try answer(.noDevice) }
    }

    @Test(
        "D06: in a sandbox, access is restricted, and the hint names the portal",
        arguments: [
            ("/.flatpak-info", "[Application]\nname=org.example.Cameras\n[Instance]", "Flatpak", "org.example.Cameras"),
            ("/proc/self/attr/current", "snap.cameras.viewer (enforce)", "Snap", "snap.cameras"),
        ])
    func sandboxes(path: String, text: String, kind: String, app: String) throws {
        let kernel = FakeKernel()
        #expect(Sandbox(kernel) == nil)
        kernel.setText(text, of: path)
        let directory = CameraDirectory(calls: kernel)
        // The node is missing first, and then opening it is refused.
        for errno in [nil, Errno.permissionDenied, .notPermitted] {
            if let errno {
                var camera = FakeCamera()
                camera.openError = errno
                kernel.add("/dev/video0", camera)
            }
            guard case .restricted(let hint) = try CameraAuthorization(of: "/dev/video0", in: directory) else {
                Issue.record("\(String(describing: errno)) is not restricted")
                continue
            }
            #expect(hint.contains("\(kind) keeps devices away") && hint.hasSuffix("camera:portal"), "\(hint)")
        }
        #expect(Sandbox(kernel)?.permission == "flatpak permission-set devices camera \(app) yes")
        // A device that the sandbox passes in is authorized.
        kernel.add("/dev/video1", FakeCamera())
        #expect(try CameraAuthorization(of: "/dev/video1", in: directory) == .authorized)
    }

    @Test("D09: the cameras of one device are a group, and those of two devices are not")
    func groups() {
        let kernel = FakeKernel()
        func add(_ path: String, _ card: String, _ bus: String, product: String) {
            var camera = FakeCamera()
            (camera.card, camera.busInfo) = (card, bus)
            camera.usb = FakeCamera.USB(serial: nil)
            camera.usb?.product = product
            kernel.add(path, camera)
        }
        add("/dev/video0", "Integrated Camera: RGB", "usb-1", product: "aaaa")
        add("/dev/video1", "USB Camera", "usb-2", product: "bbbb")
        add("/dev/video2", "Integrated Camera: IR", "usb-1", product: "aaaa")
        add("/dev/video3", "USB Camera", "usb-3", product: "bbbb")
        let groups = CameraGroup.groups(of: CameraDirectory(calls: kernel).cameras())
        #expect(groups.map(\.name) == ["Integrated Camera"])
        #expect(groups.first?.cameras.map(\.path) == ["/dev/video0", "/dev/video2"])
    }

    @Test("D01: a pipeline consists of the entities of its media device")
    func pipelines() {
        let kernel = FakeKernel()
        var device = FakeCamera()
        (device.driver, device.card) = ("rp1-cfe", "RP1 camera front end")
        device.parts = [
            ("imx708_wide", PIP_MEDIA_SENSOR), ("dw9807 10-000c", PIP_MEDIA_LENS), ("rp1-cfe-csi2_ch0", PIP_MEDIA_NODE),
            ("csi2", 0x4002), ("rp1-cfe-csi2_ch1", PIP_MEDIA_NODE),
        ]
        kernel.add("/dev/media3", device)
        kernel.add("/dev/media1", FakeCamera())
        let pipelines = MediaPipeline.all(beside: CameraDirectory(calls: kernel))
        #expect(pipelines.map(\.path) == ["/dev/media3"])
        #expect(pipelines[0].driver == "rp1-cfe" && pipelines[0].model == "RP1 camera front end")
        #expect(pipelines[0].sensors == ["imx708_wide"] && pipelines[0].lenses == ["dw9807 10-000c"])
        #expect(pipelines[0].nodes == 2 && pipelines[0].flashes == [])
    }
}
