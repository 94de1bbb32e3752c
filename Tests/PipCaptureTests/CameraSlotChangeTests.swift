import PipConcurrency
import PipFrames
import PipTestSupport
import SystemPackage
import Testing

@testable import PipCapture

@Suite("Changing a camera that runs", .timeLimit(.minutes(5)))
struct CameraSlotChangeTests {
    private static let other = "/dev/video1"

    /// A camera that offers two sizes, raw and compressed, at two rates.
    private static func versatile(_ serial: String = "A1", port: String = "1") -> FakeCamera {
        var camera = SlotRig.webcam(serial, port: port)
        let sizes = FakeCamera.Sizes.discrete([PixelSize(640, 480), PixelSize(320, 240)])
        let rates = FakeCamera.Rates.discrete([FrameRate(30), FrameRate(15)])
        camera.formats = [.init("YUYV", sizes: sizes, rates: rates), .init("MJPG", sizes: sizes, rates: rates)]
        return camera
    }

    private static let large = CameraWish(size: PixelSize(640, 480), format: FourCC("YUYV"))
    private static let small = CameraWish(size: PixelSize(320, 240), frameRate: FrameRate(15), format: FourCC("YUYV"))

    @Test("a change to another mode and back affects no other camera, and frames and counters continue")
    func changes() async throws {
        let kernel = FakeKernel()
        let directory = CameraDirectory(calls: kernel)
        let rig = try SlotRig(Self.versatile(), wish: Self.large, kernel: kernel, in: directory)
        let beside = try SlotRig(
            Self.versatile("B2", port: "2"), kernel: kernel, in: directory, path: Self.other)
        try rig.start()
        try beside.slot.start()
        beside.produce(at: Self.other)
        _ = kernel.takeTrace(of: Self.other)
        // A held frame keeps its memory, but must not keep the device busy.
        let held = rig.slot.frames.take()
        try await rig.slot.change(to: Self.small)
        kernel.settle()
        #expect(rig.slot.state == .streaming)
        rig.produce(9)
        let frame = try #require(rig.slot.frames.take())
        #expect(frame.layout.size == PixelSize(320, 240) && frame.info.sequence == 1)
        try await rig.slot.change(to: Self.large)
        kernel.settle()
        rig.produce(8)
        #expect(try #require(rig.slot.frames.take()).layout.size == PixelSize(640, 480))
        #expect(rig.events.all.map(\.word) == ["started"])
        let calls = Set(kernel.takeTrace(of: Self.other))
        #expect(calls.isDisjoint(with: ["VIDIOC_STREAMOFF", "VIDIOC_S_FMT", "VIDIOC_S_PARM", "VIDIOC_REQBUFS"]))
        withExtendedLifetime(held) {}
        for rig in [rig, beside] { await rig.slot.stop() }
    }

    @Test("a change that fails leaves the camera in its previous mode")
    func changeFails() async throws {
        let rig = try SlotRig(Self.versatile(), wish: Self.large)
        try rig.start()
        rig.kernel.fail(.setFormat, on: SlotRig.path, with: .ioError)
        await #expect(throws: CaptureError.self) { try await rig.slot.change(to: Self.small) }
        rig.kernel.settle()
        rig.produce(7)
        #expect(try #require(rig.slot.frames.take()).layout.size == PixelSize(640, 480))
        #expect(rig.slot.wish.size == PixelSize(640, 480))
        await rig.slot.stop()
    }

    @Test(
        "a change or a switch fails when the camera's driver hangs, and the camera returns in its previous mode",
        arguments: [false, true])
    func closingHangs(isSwitch: Bool) async throws {
        try await VirtualTime.run { clock, _ in
            let rig = try SlotRig(Self.versatile(), wish: Self.large, kernel: FakeKernel(clock: clock))
            rig.kernel.add(Self.other, SlotRig.webcam("B2", port: "2"))
            rig.kernel.fail(.streamOn, on: Self.other, with: .noSpace)
            try rig.slot.start()
            try await rig.deliver()
            rig.kernel.hang("VIDIOC_STREAMOFF", on: SlotRig.path)
            do throws(CaptureError) {
                if isSwitch {
                    try await rig.slot.replace(with: .path(Self.other), wish: CameraWish())
                } else {
                    try await rig.slot.change(to: Self.small)
                }
                Issue.record("the camera was changed although its driver hangs")
            } catch {
                #expect(error.kind == .hanging && error.device == SlotRig.path, "\(error)")
            }
            rig.kernel.release(SlotRig.path)
            for _ in 0..<30 { try await rig.deliver() }
            #expect(rig.slot.state == .streaming && rig.slot.wish == Self.large)
            #expect(rig.slot.format?.mode.size == PixelSize(640, 480))
            await rig.slot.stop()
        }
    }

    @Test("a camera whose mode is changed while it is lost returns with the new mode")
    func changeWhileLost() async throws {
        let rig = try SlotRig(Self.versatile(), wish: Self.large)
        try rig.start()
        rig.unplug()
        try await rig.slot.change(to: Self.small)
        rig.plug(Self.versatile())
        rig.produce()
        #expect(rig.slot.format?.layout.size == PixelSize(320, 240))
        await rig.slot.stop()
    }

    /// Performs a switch to the other camera while the old camera delivers frames.
    ///
    /// If `frames` is true, the other camera delivers frames, too. Time passes only while all threads wait, because a
    /// thread that the machine delays must not be late.
    ///
    /// - Returns: The error of the switch; nil if it succeeds.
    private func switching(_ rig: SlotRig, frames: Bool = true) async -> CaptureError? {
        let isOver = SignalCounter()
        async let failure: CaptureError? = {
            defer { isOver.signal() }
            do throws(CaptureError) {
                try await rig.slot.replace(with: .path(Self.other), wish: CameraWish())
                return nil
            } catch {
                return error
            }
        }()
        while isOver.value == 0 {
            rig.kernel.advance(by: .milliseconds(10))
            rig.kernel.produce(SlotRig.path, FakeFrame(.fill(1)))
            if frames { rig.kernel.produce(Self.other, FakeFrame(.fill(2))) }
            rig.kernel.settle()
            await Task.yield()
        }
        return await failure
    }

    @Test("a switch to another camera stops the old one after the new one delivers, and every frame is accounted for")
    func replaces() async throws {
        let rig = try SlotRig()
        try rig.start()
        rig.kernel.add(Self.other, SlotRig.webcam("B2", port: "2"))
        #expect(await switching(rig) == nil)
        #expect(rig.slot.device?.path == Self.other && rig.slot.state == .streaming)
        rig.kernel.settle()
        let taken = rig.slot.frames.take() == nil ? 1 : 2
        rig.produce(6, at: Self.other)
        #expect(rig.newest() == 6)
        #expect(rig.kernel.takeTrace(of: SlotRig.path).last == "close")
        #expect(rig.events.all.map(\.word) == ["started"])
        let statistics = rig.slot.statistics
        #expect(statistics.lastSequence.map { Int($0) + 1 } == taken + statistics.dropped.total, "\(statistics)")
        // The slot waits for the new camera from now on.
        rig.unplug(Self.other)
        rig.plug(SlotRig.webcam("B2", port: "3"), at: "/dev/video7")
        rig.produce(5, at: "/dev/video7")
        #expect(rig.newest() == 5)
        await rig.slot.stop()
    }

    @Test(
        "a switch to a missing, busy or silent camera leaves the old camera streaming",
        arguments: ["missing", "broken", "silent"])
    func replaceFails(how: String) async throws {
        let rig = try SlotRig()
        try rig.start()
        if how != "missing" { rig.kernel.add(Self.other, SlotRig.webcam("B2", port: "2")) }
        if how == "broken" { rig.kernel.fail(.streamOn, on: Self.other, with: .ioError, times: 10) }
        #expect(await switching(rig, frames: false) != nil)
        rig.kernel.settle()
        _ = rig.slot.frames.take()
        rig.produce(4)
        #expect(rig.newest() == 4 && rig.slot.device?.path == SlotRig.path)
        await rig.slot.stop()
        #expect(rig.kernel.openDescriptorCount == 0)
    }

    @Test("a switch to a camera that does not fit on the bus beside the old one stops the old one first")
    func breaksFirst() async throws {
        let rig = try SlotRig()
        try rig.start()
        rig.kernel.add(Self.other, SlotRig.webcam("B2", port: "2"))
        rig.kernel.fail(.streamOn, on: Self.other, with: .noSpace)
        #expect(await switching(rig) == nil)
        #expect(rig.slot.device?.path == Self.other)
        await rig.slot.stop()
    }

    @Test(
        "row 8: on a full bus, MJPEG and then a lower rate are used, and the event names the bus and its other camera"
    )
    func fullBus() async throws {
        let kernel = FakeKernel()
        let directory = CameraDirectory(calls: kernel)
        let beside = try SlotRig(
            Self.versatile("B2", port: "2"), kernel: kernel, in: directory, path: Self.other)
        try beside.slot.start()
        _ = kernel.waitForPause()
        _ = kernel.takeTrace(of: Self.other)
        let wish = CameraWish(size: PixelSize(640, 480), frameRate: FrameRate(30))
        let rig = try SlotRig(Self.versatile(), wish: wish, kernel: kernel, in: directory)
        kernel.fail(.streamOn, on: SlotRig.path, with: .noSpace, times: 2)
        try rig.slot.start()
        #expect(rig.slot.format?.mode.description == "MJPG 640x480 at 15 fps")
        guard case .reduced(let from, let to, let error)? = rig.events.all.first else {
            Issue.record("the slot has not reported the lower mode")
            return
        }
        #expect(from.description == "YUYV 640x480 at 30 fps" && to.description == "MJPG 640x480 at 15 fps")
        #expect(
            "\(error)".contains("the bus usb-0000:00:14.0 has no room for Fake Camera beside Fake Camera (/dev/video1)")
        )
        #expect(!kernel.takeTrace(of: Self.other).contains("VIDIOC_STREAMOFF"))
        for rig in [rig, beside] { await rig.slot.stop() }
    }

    @Test("row 8: three modes that do not fit the bus are an error, and nothing stays open")
    func neverFits() throws {
        let rig = try SlotRig(Self.versatile(), wish: CameraWish(size: PixelSize(640, 480)))
        rig.kernel.fail(.streamOn, on: SlotRig.path, with: .noSpace, times: 10)
        let error = #expect(throws: CaptureError.self) { try rig.slot.start() }
        #expect(error?.kind == .noBandwidth)
    }
}
