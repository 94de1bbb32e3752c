import CV4L2
import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@testable import PipCapture

@Suite("The rotation of a camera's pictures")
struct RotationTests {
    private static let sensor = "/sys/bus/iio/devices/iio:device0"

    /// A camera whose driver reports its mounting.
    private static func mounted(_ rotation: Int, _ position: Int32 = V4L2_CAMERA_ORIENTATION_BACK) -> FakeCamera {
        var camera = SlotRig.webcam()
        camera.controls = [
            .init(
                UInt32(V4L2_CID_CAMERA_ORIENTATION), "Camera Orientation", V4L2_CTRL_TYPE_MENU, 0...2,
                value: Int(position)),
            .init(
                UInt32(V4L2_CID_CAMERA_SENSOR_ROTATION), "Rotation", V4L2_CTRL_TYPE_INTEGER, 0...360, value: rotation),
        ]
        return camera
    }

    private static func hold(_ kernel: FakeKernel, _ x: Int, _ y: Int, _ z: Int, matrix: String? = nil) {
        kernel.setFolder("/sys/bus/iio/devices", ["trigger0", "iio:device0"])
        for (axis, value) in [("x", x), ("y", y), ("z", z)] {
            kernel.setText("\(value)", of: "\(sensor)/in_accel_\(axis)_raw")
        }
        if let matrix { kernel.setText(matrix, of: "\(sensor)/in_accel_mount_matrix") }
    }

    // A telephone's sensors lie on their side in WebRTC's capturer tests, 90° clockwise from upright.
    @Test(
        "O06: WebRTC's table of rotations, for each camera position and device orientation",
        arguments: [
            (CameraPosition.back, DeviceOrientation.portrait, 90), (.front, .portrait, 90),
            (.back, .portraitUpsideDown, 270), (.front, .portraitUpsideDown, 270), (.back, .landscapeLeft, 0),
            (.front, .landscapeLeft, 180), (.back, .landscapeRight, 180), (.front, .landscapeRight, 0),
        ])
    func table(position: CameraPosition, held: DeviceOrientation, degrees: Int) {
        let turn = CameraRotation.device.orientation(mounting: 270, position, held: held)
        #expect(turn == Orientation(degrees: degrees))
        // The device's orientation affects neither the mounting alone nor a fixed rotation.
        #expect(
            CameraRotation.mounting.orientation(mounting: 270, position, held: held) == Orientation(degrees: 90))
        #expect(
            CameraRotation.fixed(.flipped).orientation(mounting: 45, position, held: held) == .flipped)
    }

    @Test(
        "O06: an accelerometer gives the device's orientation, which changes only beyond a threshold",
        arguments: [
            (0.0, -9.8, 0.0, DeviceOrientation.portrait), (9.8, 0, 0, .landscapeRight), (-9.8, 0, 0, .landscapeLeft),
            (0, 9.8, 0, .portraitUpsideDown), (0.3, 0.2, -9.8, .faceUp), (0, 0, 9.8, .faceDown),
            (3, -9, -2, .portrait), (9, -3, 2, .landscapeRight),
        ])
    func gravity(x: Double, y: Double, z: Double, held: DeviceOrientation) {
        #expect(DeviceOrientation(x: x, y: y, z: z) == held)
        #expect(DeviceOrientation(x: x / 1000, y: y / 1000, z: z / 1000, after: held) == held)
    }

    @Test("O06: between two orientations the previous one remains")
    func hysteresis() {
        // The device is held at 50° from portrait, which is 40° from landscape.
        let (x, y) = (0.766, -0.643)
        #expect(DeviceOrientation(x: x, y: y, z: 0) == .landscapeRight)
        #expect(DeviceOrientation(x: x, y: y, z: 0, after: .portrait) == .portrait)
        #expect(DeviceOrientation(x: x, y: y, z: 0, after: .portraitUpsideDown) == .landscapeRight)
        #expect(DeviceOrientation(x: 0, y: 0, z: 0) == nil)
        #expect(DeviceOrientation(x: .nan, y: 0, z: 0) == nil)
    }

    @Test("O06: frames carry the rotation of the mounting, counterclockwise as drivers report it")
    func mounting() throws {
        let rig = try SlotRig(Self.mounted(90))
        try rig.start()
        #expect(rig.slot.orientation.degrees == 270)
        #expect(rig.slot.frames.take()?.info.orientation.degrees == 270)
    }

    @Test("O06: a sensor mounted at 45° is reported, and its pictures are not rotated")
    func oblique() async throws {
        let rig = try SlotRig(Self.mounted(45))
        try rig.start()
        #expect(rig.slot.frames.take()?.info.orientation == .identity)
        let problems = rig.events.all.compactMap { if case .settingRefused(let error) = $0 { error } else { nil } }
        #expect(problems.count == 1 && problems[0].description.contains("a mounting at 45°"), "\(problems)")
        await rig.slot.stop()
        let told = try SlotRig(Self.mounted(45), wish: CameraWish(rotation: .fixed(Orientation(quarterTurns: 2))))
        #expect(told.slot.orientation.degrees == 180 && told.events.all.isEmpty)
    }

    @Test("O06: pictures follow the device within a third of a second, and keep their orientation while it lies flat")
    func follows() async throws {
        try await VirtualTime.run { clock, _ in
            let kernel = FakeKernel(clock: clock)
            Self.hold(kernel, 0, -1000, 0)
            let rig = try SlotRig(Self.mounted(270), wish: CameraWish(rotation: .device), kernel: kernel)
            try rig.slot.start()
            func shown() async throws -> Int? {
                try await clock.sleep(for: .milliseconds(300))
                try await rig.deliver()
                return rig.slot.frames.take()?.info.orientation.degrees
            }
            #expect(try await shown() == 90)
            Self.hold(kernel, -1000, 0, 0)
            #expect(try await shown() == 0)
            Self.hold(kernel, 0, 0, -1000)
            #expect(try await shown() == 0)
            Self.hold(kernel, 1000, 10, 0)
            #expect(try await shown() == 180)
            await rig.slot.stop()
        }
    }

    @Test("O06: an accelerometer's mount matrix is applied, and a machine without an accelerometer has no orientation")
    func accelerometer() throws {
        let kernel = FakeKernel()
        #expect(Accelerometer(kernel) == nil)
        Self.hold(kernel, 1000, 0, 0, matrix: "0, 1, 0; -1, 0, 0; 0, 0, 1")
        #expect(Accelerometer(kernel)?.orientation(after: nil) == .portrait)
        Self.hold(kernel, 1000, 0, 0, matrix: "nonsense")
        #expect(Accelerometer(kernel)?.orientation(after: nil) == .landscapeRight)
        // A matrix in udev's database has precedence over the kernel's matrix.
        kernel.setText("13:64", of: "\(Self.sensor)/dev")
        kernel.setText("I:123\nE:ACCEL_MOUNT_MATRIX=0, 1, 0; -1, 0, 0; 0, 0, 1\nG:x", of: "/run/udev/data/c13:64")
        #expect(Accelerometer(kernel)?.orientation(after: nil) == .portrait)
        kernel.setText("E:ACCEL_MOUNT_MATRIX=0,-1,0;1,0,0;0,0,1", of: "/run/udev/data/+iio:iio:device0")
        #expect(Accelerometer(kernel)?.orientation(after: nil) == .portrait)
        kernel.setText("I:123", of: "/run/udev/data/c13:64")
        #expect(Accelerometer(kernel)?.orientation(after: nil) == .landscapeRight)
        let rig = try SlotRig(Self.mounted(180), wish: CameraWish(rotation: .device))
        #expect(rig.slot.orientation.degrees == 180)
        #expect("\(rig.events.all)".contains("no accelerometer"))
    }

    @Test("O06: another rotation is set without a call to the device, and taken back")
    func change() async throws {
        let rig = try SlotRig(Self.mounted(90))
        try rig.start()
        _ = rig.kernel.takeTrace(of: SlotRig.path)
        let before = rig.slot.setup
        var after = before
        after.wish.rotation = .fixed(.mirrored)
        let transaction = try await CameraTransaction(
            [(slot: rig.slot, change: SetupChange(from: before, to: after))], beside: [rig.slot], in: rig.directory)
        rig.produce()
        #expect(rig.slot.frames.take()?.info.orientation == .mirrored)
        #expect(rig.slot.wish.rotation == .fixed(.mirrored))
        await transaction.takeBack()
        rig.produce()
        #expect(rig.slot.frames.take()?.info.orientation.degrees == 270)
        #expect(
            !rig.kernel.takeTrace(of: SlotRig.path).contains { $0.hasPrefix("VIDIOC_S") || $0 == "VIDIOC_STREAMOFF" })
    }

    @Test(
        "a rotation's text is parsed and written unchanged",
        arguments: ["mounting", "device", "0", "90", "270", "mirrored-180"])
    func text(text: String) { #expect(CameraRotation(text)?.description == text) }

    @Test("invalid rotations are refused", arguments: ["45", "360", "-90", "upright", "", "mirrored-", "mirrored-45"])
    func refused(text: String) { #expect(CameraRotation(text) == nil) }
}
