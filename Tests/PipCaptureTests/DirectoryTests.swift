import CV4L2
import PipFrames
import PipTestSupport
import SystemPackage
import Testing

@testable import PipCapture

@Suite("Finding cameras")
struct DirectoryTests {
    private static func camera(
        _ card: String, bus: String, _ change: (inout FakeCamera) -> Void = { _ in }
    )
        -> FakeCamera
    {
        var camera = FakeCamera()
        camera.card = card
        camera.busInfo = bus
        change(&camera)
        return camera
    }

    /// Two webcams, the metadata node of one of the webcams, a codec, an output and a virtual camera, in mixed order.
    private static func house() -> FakeKernel {
        let kernel = FakeKernel()
        kernel.add("/dev/video10", camera("Loopback", bus: "platform:v4l2loopback-000") { $0.driver = "v4l2 loopback" })
        kernel.add(
            "/dev/video3",
            camera("HD Pro Webcam C920", bus: "usb-0000:00:14.0-2") {
                $0.index = 1
                $0.capabilities = UInt32(V4L2_CAP_META_CAPTURE | V4L2_CAP_STREAMING)
            })
        kernel.add("/dev/video2", c920)
        kernel.add("/dev/video1", camera("Codec", bus: "platform:codec") { $0.capabilities = codec })
        kernel.add("/dev/video0", camera("Integrated Camera", bus: "usb-0000:00:14.0-5"))
        kernel.add("/dev/video11", camera("Screen", bus: "platform:out") { $0.capabilities = output })
        return kernel
    }

    private static let c920 = camera("HD Pro Webcam C920", bus: "usb-0000:00:14.0-2") {
        $0.usb = FakeCamera.USB(serial: "A1B2")
        $0.usb?.name = "HD Pro Webcam C920"
        $0.sysfsLink = "../../devices/pci0000:00/0000:00:14.0/usb1/1-2/1-2:1.0/video4linux/video2"
    }
    private static let codec = UInt32(V4L2_CAP_VIDEO_M2M_MPLANE | V4L2_CAP_STREAMING)
    private static let output = UInt32(V4L2_CAP_VIDEO_OUTPUT | V4L2_CAP_STREAMING)

    @Test("lists the nodes that capture and stream, in the order of their numbers")
    func lists() {
        let cameras = CameraDirectory(calls: Self.house()).cameras()
        #expect(cameras.map(\.path) == ["/dev/video0", "/dev/video2", "/dev/video10"])
        #expect(cameras.map(\.card) == ["Integrated Camera", "HD Pro Webcam C920", "Loopback"])
    }

    @Test("closes every node that it asked")
    func closes() {
        let kernel = Self.house()
        _ = CameraDirectory(calls: kernel).cameras()
        #expect(kernel.openDescriptorCount == 0)
    }

    @Test(
        "finds a camera by its path, index, name, port, serial number or link",
        arguments: [
            ("/dev/video2", "/dev/video2"), ("camera:0", "/dev/video0"), ("camera:2", "/dev/video10"),
            ("camera:C920", "/dev/video2"), ("camera:c920", "/dev/video2"),
            ("camera:usb-0000:00:14.0-5", "/dev/video0"), ("camera:A1B2", "/dev/video2"),
            ("camera:usb-046d_HD_Pro_Webcam_C920_A1B2-video-index0", "/dev/video2"),
            ("camera:pci-0000:00:14.0-usb-0:2:1.0-video-index0", "/dev/video2"),
        ])
    func finds(text: String, path: String) throws {
        let selector = try #require(CameraSelector(text))
        #expect(selector.description == text)
        #expect(try CameraDirectory(calls: Self.house()).camera(matching: selector).path == path)
    }

    /// Two cameras of a tablet that report their positions, and a webcam whose bus sorts before theirs.
    private static func tablet(_ nodes: [Int]) -> FakeKernel {
        func place(_ value: Int32, rotation: Int = 0) -> [FakeCamera.Control] {
            [
                .init(
                    UInt32(V4L2_CID_CAMERA_ORIENTATION), "Camera Orientation", V4L2_CTRL_TYPE_MENU, 0...2,
                    value: Int(value)),
                .init(
                    UInt32(V4L2_CID_CAMERA_SENSOR_ROTATION), "Rotation", V4L2_CTRL_TYPE_INTEGER, 0...360,
                    value: rotation),
            ]
        }
        let kernel = FakeKernel()
        kernel.add(
            "/dev/video\(nodes[0])",
            camera("ov5693", bus: "platform:ipu6-2") { $0.controls = place(V4L2_CAMERA_ORIENTATION_FRONT) })
        kernel.add(
            "/dev/video\(nodes[1])",
            camera("ov13858", bus: "platform:ipu6-1") {
                $0.controls = place(V4L2_CAMERA_ORIENTATION_BACK, rotation: 90)
            })
        kernel.add("/dev/video\(nodes[2])", camera("Webcam with External Light", bus: "a-bus"))
        return kernel
    }

    @Test(
        "finds the camera at a position, and the first one, at any node numbers", arguments: [[0, 1, 2], [5, 3, 1]])
    func positions(nodes: [Int]) throws {
        let directory = CameraDirectory(calls: Self.tablet(nodes))
        #expect(try directory.camera(matching: .front).card == "ov5693")
        #expect(try directory.camera(matching: .back).card == "ov13858")
        #expect(try directory.camera(matching: .first).card == "ov13858", "the back camera is the first")
        #expect(
            try directory.camera(matching: try #require(CameraSelector("camera:external"))).card.hasPrefix("Webcam"))
        #expect(try directory.camera(matching: .back).rotation == 90)
        #expect(try directory.camera(matching: .matching("webcam")).position == nil)
    }

    @Test("takes the camera at the lowest port where no driver reports positions, and says why a position is missing")
    func unplaced() throws {
        let directory = CameraDirectory(calls: Self.house())
        #expect(try directory.camera(matching: .first).path == "/dev/video2")
        let error = #expect(throws: CaptureError.self) { try directory.camera(matching: .front) }
        #expect(
            error?.description.contains("nothing says which camera is the front one") == true,
            "\(String(describing: error))")
        let none = #expect(throws: CaptureError.self) {
            try CameraDirectory(calls: FakeKernel()).camera(matching: .first)
        }
        #expect(none?.description.contains("there is no camera") == true)
    }

    @Test("refuses a position that two cameras claim, with both names")
    func claimedTwice() throws {
        let kernel = Self.tablet([0, 1, 2])
        kernel.setControl(UInt32(V4L2_CID_CAMERA_ORIENTATION), to: 0, of: "/dev/video1")
        let error = #expect(throws: CaptureError.self) { try CameraDirectory(calls: kernel).camera(matching: .front) }
        #expect(error?.kind == .ambiguous)
        #expect(error?.description.contains("camera:platform:ipu6-2 or camera:platform:ipu6-1") == true)
    }

    @Test("reports cameras that come and go until nobody listens, and leaves nothing open")
    func changes() async throws {
        let kernel = Self.house()
        let directory = CameraDirectory(calls: kernel)
        let c920 = try directory.camera(matching: .matching("C920"))
        var changes: AsyncStream<CameraChange>.Iterator? = directory.changes().makeAsyncIterator()
        #expect(kernel.waitForWatches())
        kernel.settle()
        kernel.unplug("/dev/video2")
        let gone = await changes?.next()
        #expect(gone == .disconnected(c920))
        kernel.add("/dev/video7", Self.camera("New One", bus: "usb-0000:00:14.0-9"))
        let come = await changes?.next()
        #expect(come == .connected(try directory.camera(matching: .path("/dev/video7"))))
        changes = nil
        #expect(kernel.waitUntilClosed())
        #expect(kernel.watchCount == 0)
    }

    @Test("misses no camera that is unplugged before the watch has begun")
    func changeAtOnce() async throws {
        let kernel = Self.house()
        let directory = CameraDirectory(calls: kernel)
        let c920 = try directory.camera(matching: .matching("C920"))
        for _ in 0..<50 {
            var changes = directory.changes().makeAsyncIterator()
            kernel.unplug("/dev/video2")
            let gone = await changes.next()
            #expect(gone == .disconnected(c920))
            kernel.add("/dev/video2", Self.c920)
            let come = await changes.next()
            #expect(come == .connected(c920))
        }
        #expect(kernel.waitUntilClosed())
    }

    @Test("reads no selector from other sources", arguments: ["clip.y4m", "pattern:bars", "camera:", ""])
    func noSelector(text: String) { #expect(CameraSelector(text) == nil) }

    @Test("names the cameras that are there when none has the name, the nearest first")
    func nearest() throws {
        let directory = CameraDirectory(calls: Self.house())
        let error = try #require(throws: CaptureError.self) {
            try directory.camera(matching: .name("Integrated Cammera"))
        }
        #expect(error.kind == .notFound)
        #expect(error.hint?.contains("Integrated Camera (/dev/video0") == true)
        let path = try #require(throws: CaptureError.self) { try directory.camera(matching: .path("/dev/video987")) }
        #expect(path.kind == .notFound && path.errno == .noSuchFileOrDirectory)
        #expect(path.hint?.contains("Integrated Camera (/dev/video0") == true)
        let index = try #require(throws: CaptureError.self) { try directory.camera(matching: .index(3)) }
        #expect("\(index)".contains("the cameras, counted from 0: "))
    }

    @Test("says which names tell cameras apart when several fit")
    func ambiguousName() throws {
        let kernel = FakeKernel()
        kernel.add("/dev/video0", Self.camera("HD Webcam", bus: "usb-0000:00:14.0-1"))
        kernel.add("/dev/video2", Self.camera("HD Webcam", bus: "usb-0000:00:14.0-2"))
        let error = try #require(throws: CaptureError.self) {
            try CameraDirectory(calls: kernel).camera(matching: .name("webcam"))
        }
        #expect(error.kind == .ambiguous)
        #expect(error.hint == "say which: camera:usb-0000:00:14.0-1 or camera:usb-0000:00:14.0-2")
    }

    @Test(
        "says what a path is that is not a camera",
        arguments: [
            ("/dev/video1", "a codec or a converter"), ("/dev/video11", "an output"), ("/dev/video3", "metadata"),
            ("/home/a.txt", "a regular file"), ("/dev", "a folder"),
        ])
    func notACamera(path: String, what: String) throws {
        let kernel = Self.house()
        kernel.setStatus(FileStatus(kind: .regular, groupID: 0, mode: 0o644), of: "/home/a.txt")
        kernel.setStatus(FileStatus(kind: .folder, groupID: 0, mode: 0o755), of: "/dev")
        let error = try #require(throws: CaptureError.self) {
            try CameraDirectory(calls: kernel).camera(matching: .path(path))
        }
        #expect(error.kind == .notACamera)
        #expect(error.reason.contains(what))
    }

    @Test("says that a path does not exist, and which cameras there are")
    func missing() throws {
        let error = try #require(throws: CaptureError.self) {
            try CameraDirectory(calls: FakeKernel()).camera(matching: .path("/dev/video9"))
        }
        #expect(error.kind == .notFound)
        #expect(
            "\(error)" == "/dev/video9: cannot find the camera: stat: No such file or directory (there is no camera)")
    }

    @Test("names the group and the command when the node may not be opened")
    func permission() throws {
        let kernel = FakeKernel()
        kernel.add("/dev/video0", Self.camera("C", bus: "b") { $0.openError = .permissionDenied })
        kernel.setText("root:x:0:\nvideo:x:44:ann\n", of: "/etc/group")
        let directory = CameraDirectory(calls: kernel)
        let error = try #require(throws: CaptureError.self) { try directory.camera(matching: .path("/dev/video0")) }
        #expect(error.kind == .notPermitted)
        #expect(error.hint?.contains("the group video: run `sudo usermod -aG video $USER`") == true)
        #expect(directory.cameras().isEmpty)
        #expect(directory.unusableNodes() == [error])
        // Without any camera, the error tells why the node cannot be opened.
        let other = try #require(throws: CaptureError.self) { try directory.camera(matching: .index(0)) }
        #expect(other.hint?.contains("usermod") == true)
    }

    @Test("does not suggest a group that would not help")
    func rootOnly() throws {
        let kernel = FakeKernel()
        kernel.add(
            "/dev/video0",
            Self.camera("C", bus: "b") {
                $0.openError = .permissionDenied
                $0.groupID = 0
                $0.mode = 0o600
            })
        let error = try #require(throws: CaptureError.self) {
            try CameraDirectory(calls: kernel).camera(matching: .path("/dev/video0"))
        }
        #expect(error.hint == "only root may use the node: its group is 0 and its mode 600")
    }

    @Test("names the programs that use a busy camera")
    func busy() throws {
        let kernel = FakeKernel()
        kernel.add("/dev/video0")
        kernel.setFolder("/proc", ["1", "4711", "12", "self", "cpuinfo"])
        kernel.setFolder("/proc/4711/fd", ["0", "7"])
        kernel.setLink("/proc/4711/fd/7", to: "/dev/video0")
        kernel.setText("ffmpeg", of: "/proc/4711/comm")
        kernel.setLink("/proc/self", to: "12")
        kernel.setFolder("/proc/12/fd", ["3"])
        kernel.setLink("/proc/12/fd/3", to: "/dev/video0")
        let device = try CameraDirectory(calls: kernel).camera(matching: .path("/dev/video0"))
        kernel.fail(.setFormat, on: "/dev/video0", with: .resourceBusy)
        let error = try #require(throws: CaptureError.self) { try Camera(device, calls: kernel) }
        #expect(error.kind == .busy)
        #expect(
            "\(error)" == "/dev/video0: cannot set the format YUYV 640x480 at 30 fps: VIDIOC_S_FMT: "
                + "Device or resource busy (in use by ffmpeg (process 4711))")
        #expect(kernel.openDescriptorCount == 0)
    }

    @Test("says what frees a camera that this process still holds open", arguments: [1, 2])
    func leftBehind(descriptors: Int) throws {
        let kernel = FakeKernel()
        kernel.add("/dev/video0")
        let numbers = (3..<3 + descriptors).map(String.init)
        kernel.setFolder("/proc/self/fd", numbers)
        for number in numbers { kernel.setLink("/proc/self/fd/\(number)", to: "/dev/video0") }
        let device = try CameraDirectory(calls: kernel).camera(matching: .path("/dev/video0"))
        kernel.fail(.setFormat, on: "/dev/video0", with: .resourceBusy)
        let error = try #require(throws: CaptureError.self) { try Camera(device, calls: kernel) }
        // One of the descriptors belongs to the query that fails.
        #expect(error.hint?.contains("unplug the camera and plug it in again") == (descriptors == 1 ? nil : true))
    }
}
