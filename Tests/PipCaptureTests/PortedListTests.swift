import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@testable import PipCapture

/// The capture tests of other projects, applied to this package.
///
/// Source: WebRTC, `RTCCameraVideoCapturerTests` (its rotations are in ``RotationTests``) and `video_capture_unittest`;
/// libcamera, `lc-compliance`.
@Suite("Capture tests of other projects", .timeLimit(.minutes(2)))
struct PortedListTests {
    private static let path = SlotRig.path
    private static let other = "/dev/video1"
    private static let sizes = [PixelSize(64, 48), PixelSize(32, 24), PixelSize(16, 12)]
    private static let rates = [FrameRate(30), FrameRate(15), FrameRate(5)]

    private static func webcam(port: String = "1") -> FakeCamera {
        var camera = SlotRig.webcam("A\(port)", port: port)
        camera.formats = [.init("NV12", sizes: .discrete(sizes), rates: .discrete(rates))]
        return camera
    }

    /// Delivers frames, each of which must be new and of the requested size.
    private static func capture(_ count: Int, _ rig: SlotRig, _ size: PixelSize, at path: String = path) async throws {
        for number in 0..<count {
            try await rig.deliver(UInt8(truncatingIfNeeded: number), at: path)
            let frame = try #require(rig.slot.frames.take(), "frame \(number)")
            #expect(frame.layout.size == size && frame.info.orientation == .identity)
            let age = frame.timestamp.duration(to: rig.kernel.clock.now)
            #expect((.zero ... .milliseconds(30)).contains(age), "\(age)")
        }
    }

    private static func run(_ body: @Sendable @escaping (FakeKernel) async throws -> Void) async throws {
        try await VirtualTime.run { clock, _ in
            let kernel = FakeKernel(clock: clock)
            kernel.add(path, webcam())
            try await body(kernel)
            #expect(kernel.openDescriptorCount == 0 && kernel.mappingCount == 0)
        }
    }

    // MARK: WebRTC, video_capture_unittest

    @Test("WebRTC, CreateDelete: five times, the camera streams from the start to the stop, and no longer")
    func createDelete() async throws {
        try await Self.run { kernel in
            for _ in 0..<5 {
                let rig = try SlotRig(nil, wish: CameraWish(size: Self.sizes[0]), kernel: kernel)
                #expect(!kernel.isStreaming(Self.path))
                try rig.slot.start()
                #expect(kernel.isStreaming(Self.path))
                try await Self.capture(5, rig, Self.sizes[0])
                let stopped = kernel.clock.now
                await rig.slot.stop()
                #expect(stopped.duration(to: kernel.clock.now) <= .seconds(3))
                #expect(!kernel.isStreaming(Self.path) && rig.slot.state == .closed)
            }
        }
    }

    @Test("WebRTC, Capabilities: each size is delivered at its first two rates")
    func capabilities() async throws {
        try await Self.run { kernel in
            for size in Self.sizes {
                for rate in Self.rates.prefix(2) {
                    let rig = try SlotRig(nil, wish: CameraWish(size: size, frameRate: rate), kernel: kernel)
                    #expect(rig.slot.format?.frameRate == rate && rig.slot.format?.layout.size == size)
                    try rig.slot.start()
                    try await Self.capture(1, rig, size)
                    await rig.slot.stop()
                }
            }
        }
    }

    @Test("WebRTC, TwoCameras (switched off there): both deliver, and are stopped in reverse order")
    func twoCameras() async throws {
        try await Self.run { kernel in
            kernel.add(Self.other, Self.webcam(port: "7"))
            let directory = CameraDirectory(calls: kernel)
            let wish = CameraWish(size: Self.sizes[0])
            let first = try SlotRig(nil, wish: wish, kernel: kernel, in: directory)
            let second = try SlotRig(nil, wish: wish, kernel: kernel, in: directory, path: Self.other)
            try first.slot.start()
            try second.slot.start()
            for _ in 0..<5 {
                try await Self.capture(1, first, Self.sizes[0])
                try await Self.capture(1, second, Self.sizes[0], at: Self.other)
            }
            await second.slot.stop()
            try await Self.capture(1, first, Self.sizes[0])
            await first.slot.stop()
        }
    }

    @Test(
        "WebRTC, ConcurrentAccess: a second opener is refused while the first has the camera, and succeeds afterwards")
    func concurrentAccess() async throws {
        try await Self.run { kernel in
            let directory = CameraDirectory(calls: kernel)
            let wish = CameraWish(size: Self.sizes[0])
            let first = try SlotRig(nil, wish: wish, kernel: kernel, in: directory)
            try first.slot.start()
            let error = #expect(throws: CaptureError.self) {
                try SlotRig(nil, wish: wish, kernel: kernel, in: directory)
            }
            #expect(error?.kind == .busy)
            try await Self.capture(3, first, Self.sizes[0])
            await first.slot.stop()
            let second = try SlotRig(nil, wish: wish, kernel: kernel, in: directory)
            try second.slot.start()
            try await Self.capture(3, second, Self.sizes[0])
            await second.slot.stop()
        }
    }

    // MARK: WebRTC, RTCCameraVideoCapturerTests

    @Test("WebRTC, SupportedFormats: all formats are listed, also unusable ones")
    func formats() throws {
        let kernel = FakeKernel()
        kernel.add(
            Self.path, FakeCamera(formats: [.init("MPG4", 64, 48), .init("NV12", 64, 48), .init("GREY", 64, 48)]))
        let directory = CameraDirectory(calls: kernel)
        let modes = try directory.modes(of: directory.camera(matching: .index(0)))
        #expect(modes.map(\.format.description) == ["MPG4", "NV12", "GREY"])
        #expect(modes.map(\.isUsable) == [false, true, true])
    }

    @Test("WebRTC, IgnoringInvalidBuffer: empty buffers and unknown buffers are not delivered")
    func invalidBuffer() async throws {
        try await Self.run { kernel in
            let rig = try SlotRig(nil, wish: CameraWish(size: Self.sizes[0]), kernel: kernel)
            try rig.slot.start()
            try await Self.capture(1, rig, Self.sizes[0])
            var empty = FakeFrame()
            empty.bytesUsed = 0
            var nowhere = FakeFrame()
            nowhere.index = 99
            for frame in [empty, nowhere] {
                try await kernel.clock.sleep(for: .milliseconds(33))
                kernel.produce(Self.path, frame)
                try await kernel.clock.sleep(for: .nanoseconds(1))
                #expect(rig.slot.frames.take() == nil)
            }
            await rig.slot.stop()
        }
    }

    @Test("WebRTC, StartingAndStopping: the stream starts and ends once, and both are reported")
    func startStop() async throws {
        try await Self.run { kernel in
            let rig = try SlotRig(nil, wish: CameraWish(size: Self.sizes[0]), kernel: kernel)
            _ = kernel.takeTrace(of: Self.path)
            try rig.slot.start()
            try await Self.capture(2, rig, Self.sizes[0])
            await rig.slot.stop()
            let calls = kernel.takeTrace(of: Self.path)
            for call in ["VIDIOC_STREAMON", "VIDIOC_STREAMOFF", "close"] {
                #expect(calls.filter { $0 == call }.count == 1, "\(call)")
            }
            #expect(rig.events.all.first == .started)
        }
    }

    @Test("WebRTC, StartCaptureFailingToLock: without exclusive access the change fails, and the device is unchanged")
    func lock() async throws {
        try await Self.run { kernel in
            let rig = try SlotRig(nil, wish: CameraWish(size: Self.sizes[0]), kernel: kernel)
            try rig.slot.start()
            try await Self.capture(1, rig, Self.sizes[0])
            kernel.change(Self.path) { $0.isReserved = true }
            _ = kernel.takeTrace(of: Self.path)
            let before = rig.slot.setup
            var after = before
            after.wish.size = Self.sizes[1]
            let change = SetupChange(from: before, to: after)
            let error = await #expect(throws: CaptureError.self) {
                _ = try await CameraTransaction(
                    [(slot: rig.slot, change: change)], beside: [rig.slot], in: rig.directory)
            }
            #expect(error?.kind == .busy)
            #expect(rig.slot.setup == before)
            let touching = ["VIDIOC_S_FMT", "VIDIOC_S_PARM", "VIDIOC_STREAMOFF", "VIDIOC_REQBUFS", "close"]
            #expect(Set(kernel.takeTrace(of: Self.path)).isDisjoint(with: touching))
            try await Self.capture(1, rig, Self.sizes[0])
            await rig.slot.stop()
        }
    }

    @Test("WebRTC, StartCaptureWithUnknownFormat (switched off there): the format is refused by name")
    func unknownFormat() async throws {
        try await Self.run { kernel in
            let error = #expect(throws: CaptureError.self) {
                try SlotRig(nil, wish: CameraWish(size: Self.sizes[0], format: FourCC("ZZZZ")), kernel: kernel)
            }
            #expect(error.map { "\($0)" }?.contains("ZZZZ") == true && error?.kind == .unsupported)
        }
    }

    // MARK: libcamera, lc-compliance

    @Test(
        "libcamera, Capture: exactly the produced frames are counted",
        arguments: [1, 2, 3, 5, 8, 13, 21, 34, 55, 89])
    func capture(frames: Int) async throws {
        try await Self.run { kernel in
            let rig = try SlotRig(nil, wish: CameraWish(size: Self.sizes[0]), kernel: kernel)
            try rig.slot.start()
            try await Self.capture(frames, rig, Self.sizes[0])
            #expect(rig.slot.statistics.delivered == frames && rig.slot.statistics.dropped.total == 0)
            await rig.slot.stop()
        }
    }

    @Test("libcamera, CaptureStartStop: three times with one configuration", arguments: [1, 5, 21])
    func captureStartStop(frames: Int) async throws {
        try await Self.run { kernel in
            let rig = try SlotRig(nil, wish: CameraWish(size: Self.sizes[0]), kernel: kernel)
            try rig.slot.start()
            _ = kernel.takeTrace(of: Self.path)
            for round in 1...3 {
                try await Self.capture(frames, rig, Self.sizes[0])
                #expect(rig.slot.statistics.delivered == frames * round)
                try await rig.slot.disable()
                #expect(!kernel.isStreaming(Self.path))
                try await rig.slot.enable()
            }
            #expect(!kernel.takeTrace(of: Self.path).contains("VIDIOC_S_FMT"))
            await rig.slot.stop()
        }
    }

    @Test(
        "libcamera, UnbalancedStop: stopped while frames are waiting, every frame is accounted for",
        arguments: [1, 3, 4])
    func unbalancedStop(frames: Int) async throws {
        try await Self.run { kernel in
            let rig = try SlotRig(nil, wish: CameraWish(size: Self.sizes[0]), kernel: kernel)
            try rig.slot.start()
            try await Self.capture(1, rig, Self.sizes[0])
            for _ in 0..<frames { kernel.produce(Self.path) }
            await rig.slot.stop()
            let counted = rig.slot.statistics
            let seen = try #require(counted.lastSequence) + 1
            #expect((1...UInt64(frames + 1)).contains(seen))
            // A late frame counts as delivered too, unless it was dropped before delivery.
            let most = counted.delivered + counted.dropped.total
            #expect((UInt64(most - counted.dropped[.late])...UInt64(most)).contains(seen))
            #expect(rig.slot.state == .closed && !kernel.isStreaming(Self.path))
        }
    }
}
