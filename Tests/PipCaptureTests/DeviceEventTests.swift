import CV4L2
import PipFrames
import PipTestSupport
import Testing

@testable import PipCapture

@Suite("Events of a camera")
struct DeviceEventTests {
    private static let privacy = UInt32(V4L2_CID_PRIVACY)
    private static let gain = UInt32(V4L2_CID_GAIN)

    private static func camera(isCovered: Bool = false) -> FakeCamera {
        var camera = FakeCamera()
        var shutter = FakeCamera.Control(privacy, "Privacy", V4L2_CTRL_TYPE_BOOLEAN, 0...1, value: isCovered ? 1 : 0)
        shutter.flags = UInt32(V4L2_CTRL_FLAG_READ_ONLY)
        camera.controls = [FakeCamera.Control(gain, "Gain", value: 10), shutter]
        camera.tellsControls = true
        return camera
    }

    @Test("D06: closing and opening a shutter is reported, each time once")
    func shutter() async throws {
        let rig = try SlotRig(Self.camera())
        try rig.start()
        for value in [1, 1, 0] {
            rig.kernel.setControl(Self.privacy, to: value, of: SlotRig.path)
            rig.produce(2)
        }
        #expect(rig.events.all.filter { [.covered, .uncovered].contains($0) } == [.covered, .uncovered])
        await rig.slot.stop()
    }

    @Test("D06: a shutter that is closed from the beginning is reported")
    func beginsCovered() async throws {
        let rig = try SlotRig(Self.camera(isCovered: true))
        try rig.start()
        rig.produce(1)
        #expect(rig.events.all.contains(.covered))
        await rig.slot.stop()
    }

    @Test("D06: a shutter that was closed when the camera was lost, and is open on its return, is reported")
    func backUncovered() async throws {
        let rig = try SlotRig(Self.camera())
        try rig.start()
        rig.kernel.setControl(Self.privacy, to: 1, of: SlotRig.path)
        rig.produce()
        rig.kernel.unplug(SlotRig.path)
        rig.kernel.waitForWatches()
        rig.kernel.add(SlotRig.path, Self.camera())
        rig.kernel.announceDevices()
        for _ in 0..<100 where !rig.events.all.contains(.uncovered) { rig.pass(.milliseconds(100)) }
        #expect(rig.events.all.filter { [.covered, .uncovered].contains($0) } == [.covered, .uncovered])
        await rig.slot.stop()
    }

    @Test("a shutter that is closed while the camera is disabled is reported, too")
    func switchedOff() async throws {
        let rig = try Rig(Self.camera())
        try rig.start()
        try await rig.camera.disable()
        rig.kernel.setControl(Self.privacy, to: 1, of: Rig.path)
        for _ in 0..<100 where !rig.events.all.contains(.covered) {
            rig.kernel.advance(by: .milliseconds(100))
            try await Task.sleep(for: .milliseconds(2))
        }
        #expect(rig.events.all.contains(.covered))
        try await rig.camera.enable()
        await rig.camera.stop()
    }

    @Test("values that the camera changes are collected, and reported at most twice a second")
    func values() async throws {
        let rig = try SlotRig(Self.camera())
        try rig.start()
        for value in 1...60 {
            rig.kernel.setControl(Self.gain, to: value, of: SlotRig.path)
            rig.produce(1)
        }
        for _ in 0..<20 { rig.produce() }
        let told = rig.events.all.compactMap { event -> Int? in
            if case .controlsChanged(let values) = event { values["gain"] } else { nil }
        }
        #expect(told.first == 1 && told.last == 60)
        #expect((4...6).contains(told.count), "\(told)")
        await rig.slot.stop()
    }

    @Test("a camera that refuses to report its controls is asked only once")
    func quiet() async throws {
        var camera = Self.camera()
        camera.tellsControls = false
        let kernel = FakeKernel()
        kernel.add(Rig.path, camera)
        let device = try CameraDirectory(calls: kernel).camera(matching: .path(Rig.path))
        _ = kernel.takeTrace(of: Rig.path)
        let opened = try Camera(device, calls: kernel)
        #expect(kernel.takeTrace(of: Rig.path).count { $0.hasPrefix("VIDIOC_SUBSCRIBE_EVENT") } == 2)
        await opened.stop()
    }
}
