import CV4L2
import PipConcurrency
import PipFrames
import PipTestSupport
import SystemPackage
import Testing

@testable import PipCapture

@Suite("A camera slot")
struct CameraSlotTests {
    private static let brightness = UInt32(V4L2_CID_BRIGHTNESS)
    private static let contrast = UInt32(V4L2_CID_CONTRAST)

    private static func adjustable() -> FakeCamera {
        var camera = SlotRig.webcam()
        camera.controls = [
            FakeCamera.Control(brightness, "Brightness"), FakeCamera.Control(contrast, "Contrast"),
        ]
        return camera
    }

    @Test("row 1: an unplugged camera is lost, closed, and returns by itself, and frames and counters continue")
    func comesBack() async throws {
        let rig = try SlotRig()
        try rig.start()
        rig.produce(7)
        #expect(rig.newest() == 7)
        rig.unplug()
        #expect(rig.slot.state == .lost)
        #expect(rig.kernel.takeTrace(of: SlotRig.path).contains("close"))
        rig.pass(.seconds(3))
        #expect(rig.slot.state == .lost)
        rig.plug()
        rig.produce(9)
        #expect(rig.slot.state == .streaming)
        #expect(rig.newest() == 9)
        #expect(rig.events.all.map(\.word) == ["started", "lost", "reopened"])
        // The count continues with two frames before the loss and one after it.
        #expect(rig.slot.statistics.lastSequence == 2 && rig.slot.statistics.delivered == 3)
        await rig.slot.stop()
        #expect(rig.slot.state == .closed)
        #expect(rig.kernel.openDescriptorCount == 0 && rig.kernel.watchCount == 0)
    }

    @Test("row 2: a camera is found under another number, with its mode and controls, also those set during streaming")
    func anotherNumber() async throws {
        let wish = CameraWish(size: PixelSize(640, 480), controls: [("brightness", 11)])
        let rig = try SlotRig(Self.adjustable(), wish: wish)
        try rig.start()
        try rig.slot.set([("contrast", 33)])
        try rig.slot.set([("brightness", 22)])
        rig.unplug()
        var other = FakeCamera()
        other.card = "Something Else"
        rig.kernel.add(SlotRig.path, other)
        rig.plug(Self.adjustable(), at: "/dev/video3")
        rig.produce(at: "/dev/video3")
        #expect(rig.slot.device?.path == "/dev/video3")
        #expect(rig.slot.format?.layout.size == PixelSize(640, 480))
        #expect(rig.kernel.controlValue(Self.brightness, of: "/dev/video3") == 22)
        #expect(rig.kernel.controlValue(Self.contrast, of: "/dev/video3") == 33)
        let paths = rig.events.all.compactMap { if case .reopened(let path, _) = $0 { path } else { nil } }
        #expect(paths == ["/dev/video3"])
        await rig.slot.stop()
    }

    @Test("row 35: a control that is refused after a replug is reported, and the camera delivers all the same")
    func refusedControl() async throws {
        let rig = try SlotRig(Self.adjustable(), wish: CameraWish(controls: [("brightness", 11)]))
        try rig.start()
        rig.unplug()
        rig.plug(SlotRig.webcam())
        rig.produce(5)
        #expect(rig.newest() == 5)
        #expect(rig.events.all.map(\.word) == ["started", "lost", "setting-refused", "reopened"])
        await rig.slot.stop()
    }

    @Test("row 3: a slot follows its camera's serial number to another port")
    func anotherPort() async throws {
        let rig = try SlotRig()
        try rig.start()
        rig.unplug()
        rig.plug(SlotRig.webcam(port: "4"), at: "/dev/video2")
        rig.produce(5, at: "/dev/video2")
        #expect(rig.slot.device?.path == "/dev/video2" && rig.newest() == 5)
        await rig.slot.stop()
    }

    @Test("row 3: without a serial number, a camera at another port is not taken for the lost one; at its port it is")
    func ambiguous() async throws {
        let rig = try SlotRig(SlotRig.webcam(nil))
        try rig.start()
        rig.unplug()
        rig.plug(SlotRig.webcam(nil, port: "4"), at: "/dev/video2")
        rig.pass(.seconds(2))
        #expect(rig.slot.state == .lost)
        let reasons = rig.events.all.compactMap { if case .waiting(let error) = $0 { error.kind } else { nil } }
        #expect(reasons == [.ambiguous])
        rig.plug(SlotRig.webcam(nil))
        rig.produce(5)
        #expect(rig.slot.device?.path == SlotRig.path && rig.newest() == 5)
        await rig.slot.stop()
    }

    @Test(
        "row 4: identical cameras never swap, in whatever order they come back", arguments: [nil, "SAME"],
        [true, false])
    func twins(serial: String?, firstComesFirst: Bool) async throws {
        let kernel = FakeKernel()
        let directory = CameraDirectory(calls: kernel)
        kernel.add("/dev/video0", SlotRig.webcam(serial, port: "1"))
        kernel.add("/dev/video1", SlotRig.webcam(serial, port: "2"))
        let rigs = try ["/dev/video0", "/dev/video1"].map {
            try SlotRig(nil, kernel: kernel, in: directory, path: $0)
        }
        for rig in rigs { try rig.slot.start() }
        for path in ["/dev/video0", "/dev/video1"] { rigs[0].produce(at: path) }
        rigs[0].unplug("/dev/video0", waiting: 1)
        rigs[1].unplug("/dev/video1", waiting: 2)
        // The cameras come back with exchanged node numbers.
        let ports = firstComesFirst ? ["1", "2"] : ["2", "1"]
        for port in ports {
            rigs[0].plug(SlotRig.webcam(serial, port: port), at: port == "1" ? "/dev/video1" : "/dev/video0")
            rigs[0].pass(.milliseconds(600))
        }
        #expect(rigs.map { $0.slot.device?.busInfo } == ["usb-0000:00:14.0-1", "usb-0000:00:14.0-2"])
        #expect(rigs.map { $0.slot.device?.path } == ["/dev/video1", "/dev/video0"])
        for rig in rigs { await rig.slot.stop() }
    }

    @Test("a camera with the serial number of a running camera is not taken for the lost one")
    func claimed() async throws {
        let kernel = FakeKernel()
        let directory = CameraDirectory(calls: kernel)
        // The first camera was alone when it was opened, so nothing revealed its shared serial number.
        let first = try SlotRig(SlotRig.webcam("SAME", port: "1"), kernel: kernel, in: directory)
        try first.start()
        let second = try SlotRig(
            SlotRig.webcam("SAME", port: "2"), kernel: kernel, in: directory, path: "/dev/video1")
        try second.slot.start()
        first.unplug()
        first.pass(.seconds(1))
        #expect(first.slot.state == .lost)
        first.produce(4, at: "/dev/video1")
        #expect(second.newest() == 4)
        for rig in [first, second] { await rig.slot.stop() }
    }

    @Test("a camera that was switched off when it was lost comes back switched off, and can be switched on")
    func disabled() async throws {
        let rig = try SlotRig()
        try rig.start()
        try await rig.slot.disable()
        rig.unplug()
        #expect(rig.slot.state == .lost)
        #expect(rig.events.all.map(\.word) == ["started", "disabled", "lost"])
        // The slot can be enabled and disabled while its camera is lost.
        try await rig.slot.enable()
        try await rig.slot.disable()
        rig.plug()
        rig.pass(.seconds(1))
        #expect(rig.slot.state == .disabled)
        let calls = rig.kernel.takeTrace(of: SlotRig.path)
        #expect(calls.last { $0.hasPrefix("VIDIOC_STREAM") } != "VIDIOC_STREAMON")
        try await rig.slot.enable()
        rig.kernel.settle()
        rig.produce(6)
        #expect(rig.newest() == 6)
        await rig.slot.stop()
    }

    @Test("row 5: after a hundred unplugs nothing is left open, and the camera streams")
    func hundredTimes() async throws {
        let rig = try SlotRig()
        try rig.start()
        let descriptors = rig.kernel.openDescriptorCount
        for _ in 0..<100 {
            rig.unplug()
            rig.pass(.milliseconds(100))
            rig.plug()
            rig.pass(.milliseconds(300))
        }
        rig.pass(.seconds(2))
        rig.produce(3)
        #expect(rig.newest() == 3)
        #expect(rig.kernel.openDescriptorCount == descriptors)
        #expect(rig.kernel.mappingCount == 5)
        #expect(rig.kernel.watchCount == 0)
        await rig.slot.stop()
        #expect(rig.kernel.openDescriptorCount == 0 && rig.kernel.mappingCount == 0)
    }

    @Test(
        "row 33: a camera that is missing, busy or not permitted is waited for, and reported once",
        arguments: [Errno.resourceBusy, .permissionDenied])
    func waits(errno: Errno) async throws {
        var camera = SlotRig.webcam()
        camera.openError = errno
        let rig = try SlotRig(camera, waits: true)
        try rig.slot.start()
        rig.kernel.waitForWatches()
        rig.pass(.seconds(5))
        #expect(rig.slot.state == .lost)
        #expect(rig.events.all.map(\.word) == ["waiting"])
        rig.kernel.change(SlotRig.path) { $0.openError = nil }
        rig.pass(.seconds(1))
        rig.produce(8)
        #expect(rig.newest() == 8)
        #expect(rig.events.all.map(\.word) == ["waiting", "started"])
        await rig.slot.stop()
    }

    @Test("without waiting, a camera that cannot be opened is an error, and nothing stays open")
    func fails() throws {
        let kernel = FakeKernel()
        #expect(throws: CaptureError.self) { try SlotRig(nil, kernel: kernel) }
        #expect(kernel.openDescriptorCount == 0)
    }

    @Test("a name that cannot mean a camera is an error even when cameras are waited for")
    func hopeless() throws {
        let kernel = FakeKernel()
        kernel.setStatus(.init(kind: .regular, groupID: 0, mode: 0o644), of: SlotRig.path)
        let error = #expect(throws: CaptureError.self) { try SlotRig(nil, kernel: kernel, waits: true) }
        #expect(error?.kind == .notACamera)
    }

    @Test("row 22: a silent camera's stream is restarted first, then the camera is opened anew")
    func silent() async throws {
        let rig = try SlotRig()
        try rig.start()
        _ = rig.kernel.takeTrace(of: SlotRig.path)
        rig.pass(.milliseconds(1100))
        #expect(rig.slot.state == .stalled)
        let restart = rig.kernel.takeTrace(of: SlotRig.path)
        #expect(restart.contains("VIDIOC_STREAMON") && !restart.contains("close"))
        rig.pass(.milliseconds(2100))
        #expect(rig.kernel.takeTrace(of: SlotRig.path).contains("VIDIOC_S_FMT"))
        rig.produce(4)
        #expect(rig.newest() == 4)
        #expect(rig.events.all.map(\.word) == ["started", "stalled", "reopened"])
        await rig.slot.stop()
    }

    @Test("row 13: a camera that only fails is opened again and again, with growing waits")
    func endlessFailure() async throws {
        let opened = try await VirtualTime.run { clock, _ in
            let rig = try SlotRig(kernel: FakeKernel(clock: clock))
            try rig.slot.start()
            try await rig.deliver()
            rig.kernel.fail(.dequeueBuffer, on: SlotRig.path, with: .ioError, times: 1000)
            for _ in 0..<200 {
                rig.kernel.produce(SlotRig.path)
                try await clock.sleep(for: .milliseconds(50))
            }
            let opened = rig.kernel.takeTrace(of: SlotRig.path).filter { $0 == "VIDIOC_S_FMT" }.count
            await rig.slot.stop()
            return opened
        }
        // Ten seconds contain the delays of 0.25, 0.5, 1, 2 and 5 s.
        #expect((4...6).contains(opened), "\(opened)")
    }

    @Test("row 7: a driver that hangs on closing is abandoned after a second, and the slot is used again")
    func hangs() async throws {
        let rig = try SlotRig()
        try rig.start()
        rig.kernel.hang("close", on: SlotRig.path)
        rig.kernel.unplug(SlotRig.path)
        let isLost = await rig.waitUntil { $0.state == .lost }
        #expect(isLost)
        rig.plug(SlotRig.webcam(), at: "/dev/video5")
        rig.pass(.seconds(1))
        rig.produce(5, at: "/dev/video5")
        #expect(rig.newest() == 5)
        await rig.slot.stop()
        #expect(rig.slot.state == .closed)
        rig.kernel.release(SlotRig.path)
        #expect(rig.kernel.waitUntilClosed())
    }
}

extension SlotRig {
    /// Advances the clock until a condition holds, for 60 seconds of real time at most.
    func waitUntil(_ condition: (CameraSlot) -> Bool) async -> Bool {
        let end = MonotonicClock().now.advanced(by: .seconds(60))
        while MonotonicClock().now < end {
            if condition(slot) { return true }
            kernel.advance(by: .milliseconds(10))
            await Task.yield()
        }
        return false
    }
}
