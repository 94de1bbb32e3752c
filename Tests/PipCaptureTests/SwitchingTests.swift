import PipConcurrency
import PipFrames
import PipTestSupport
import SystemPackage
import Testing

@testable import PipCapture

@Suite("Switching a camera off and on")
struct SwitchingTests {
    @Test("needs STREAMOFF, QBUF and STREAMON, and nothing else")
    func trace() async throws {
        let rig = try Rig()
        try rig.start()
        rig.produce(FakeFrame())
        rig.kernel.settle()
        _ = rig.kernel.takeTrace(of: Rig.path)
        try await rig.camera.disable()
        #expect(rig.camera.state == .disabled)
        #expect(rig.kernel.takeTrace(of: Rig.path) == ["VIDIOC_STREAMOFF"])
        try await rig.camera.enable()
        #expect(rig.camera.state == .streaming)
        let queue = Array(repeating: "VIDIOC_QBUF", count: 5)
        #expect(rig.kernel.takeTrace(of: Rig.path) == queue + ["VIDIOC_STREAMON"])
        await rig.camera.stop()
    }

    @Test("counts the frame that was not taken as disabled, and goes on counting where it stopped")
    func countsDisabled() async throws {
        let rig = try Rig()
        try rig.start()
        rig.produce(FakeFrame(), FakeFrame())
        try await rig.camera.disable()
        #expect(rig.camera.frames.take() == nil)
        #expect(rig.camera.statistics.dropped[.disabled] == 1)
        try await rig.camera.enable()
        rig.produce(FakeFrame())
        #expect(try rig.take().info.sequence == 2)
        await rig.camera.stop()
        let statistics = rig.camera.statistics
        #expect(1 + statistics.dropped.total == 3)
        #expect(rig.events.all == [.started, .disabled, .enabled])
    }

    @Test("does not change a frame that is still held, and queues its buffer once the frame is released")
    func heldFrame() async throws {
        let rig = try Rig()
        try rig.start()
        rig.produce(FakeFrame(.fill(1)))
        var held: Frame? = try rig.take()
        try await rig.camera.disable()
        _ = rig.kernel.takeTrace(of: Rig.path)
        try await rig.camera.enable()
        #expect(rig.kernel.takeTrace(of: Rig.path).filter { $0 == "VIDIOC_QBUF" }.count == 4)
        for _ in 0..<6 { rig.produce(FakeFrame(.fill(2))) }
        #expect(held.map { Rig.bytes($0, count: 1) } == [1])
        held = nil
        rig.produce(FakeFrame())
        #expect(rig.camera.statistics.dropped[.sequenceGap] == 0)
        await rig.camera.stop()
    }

    @Test("does not make a camera stall")
    func disabledIsNotStalled() async throws {
        let rig = try Rig()
        try rig.start()
        try await rig.camera.disable()
        rig.kernel.advance(by: .seconds(100))
        try await rig.camera.enable()
        #expect(rig.camera.state == .streaming)
        #expect(rig.events.all == [.disabled, .enabled])
        await rig.camera.stop()
    }

    @Test("a camera that is unplugged while it is off is lost at once, not only when it is switched on")
    func unpluggedWhileOff() async throws {
        let rig = try Rig()
        try rig.start()
        rig.produce(FakeFrame())
        try await rig.camera.disable()
        rig.kernel.unplug(Rig.path)
        #expect(rig.events.wait { if case .lost(let error) = $0 { error.kind == .disconnected } else { false } })
        #expect(rig.camera.state == .lost)
        #expect(rig.events.all.map(\.word) == ["started", "disabled", "lost"])
        await rig.camera.stop()
    }

    @Test("a camera that is off, and whose driver does not report its end, is checked every two seconds")
    func silentDriver() async throws {
        let rig = try Rig()
        try rig.start()
        // The clock now stands still while the camera's thread works.
        rig.produce(FakeFrame())
        try await rig.camera.disable()
        rig.kernel.settle()
        _ = rig.kernel.takeTrace(of: Rig.path)
        for _ in 0..<5 {
            rig.kernel.advance(by: .seconds(2))
            rig.kernel.settle()
        }
        #expect(rig.kernel.takeTrace(of: Rig.path) == Array(repeating: "VIDIOC_QUERYCAP", count: 5))
        rig.kernel.fail(.queryCapabilities, on: Rig.path, with: .noDevice)
        rig.kernel.advance(by: .seconds(2))
        #expect(rig.events.wait { if case .lost = $0 { true } else { false } })
        await rig.camera.stop()
    }

    @Test("a camera stays off when the bus is full by now, and can be tried again")
    func busFull() async throws {
        let rig = try Rig()
        try rig.start()
        try await rig.camera.disable()
        rig.kernel.fail(.streamOn, on: Rig.path, with: .noSpace)
        let error = await #expect(throws: CaptureError.self) { try await rig.camera.enable() }
        #expect(error?.kind == .noBandwidth)
        #expect(rig.camera.state == .disabled)
        try await rig.camera.enable()
        rig.produce(FakeFrame())
        #expect(rig.camera.frames.take() != nil)
        await rig.camera.stop()
    }

    @Test("leaves the other camera's stream alone")
    func otherCamera() async throws {
        let kernel = FakeKernel()
        kernel.add("/dev/video2")
        let rig = try Rig(kernel: kernel)
        let device = try CameraDirectory(calls: kernel).camera(matching: .path("/dev/video2"))
        let other = try Camera(device, calls: kernel)
        try rig.start()
        try other.start()
        for step in 0..<10 {
            if step == 3 { try await rig.camera.disable() }
            if step == 7 { try await rig.camera.enable() }
            kernel.advance(by: .milliseconds(33))
            kernel.produce(Rig.path)
            kernel.produce("/dev/video2")
            kernel.settle()
            #expect(other.frames.take()?.info.sequence == UInt64(step))
        }
        await other.stop()
        await rig.camera.stop()
        #expect(other.statistics.dropped.total == 0)
    }

    @Test("a camera that is lost before it carries out a request refuses it with the device's path")
    func lostBefore() async throws {
        let rig = try Rig()
        try rig.start()
        rig.kernel.fail(.streamOff, on: Rig.path, with: .ioError)
        let refusal = Monitor<CaptureError?>(nil)
        // The first reply runs on the camera's thread, which ends because of the failure.
        rig.camera.setEnabled(false) { [camera = rig.camera] _ in
            camera.setEnabled(true) { error in refusal.update { $0 = error } }
        }
        let limit = MonotonicClock().now.advanced(by: .seconds(20))
        let error = refusal.wait(until: limit) { error -> CaptureError? in error }
        #expect(error?.device == Rig.path && error?.kind == .disconnected)
        await rig.camera.stop()
    }

    @Test("disabling and enabling are refused before the start and after the end")
    func onlyWhileStreaming() async throws {
        let rig = try Rig()
        await #expect(throws: CaptureError.self) { try await rig.camera.disable() }
        try rig.start()
        await rig.camera.stop()
        await #expect(throws: CaptureError.self) { try await rig.camera.enable() }
    }
}
