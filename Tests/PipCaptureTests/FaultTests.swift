import CV4L2
import PipCapture
import PipConcurrency
import PipFrames
import PipTestSupport
import SystemPackage
import Testing

@Suite("A camera in trouble")
struct FaultTests {
    @Test("row 16: drops a frame that the driver flags, reports the burst once, and goes on")
    func errorFlag() async throws {
        let rig = try Rig()
        try rig.start()
        var damaged = FakeFrame()
        damaged.flags = UInt32(V4L2_BUF_FLAG_ERROR)
        rig.produce(FakeFrame(), damaged, damaged, FakeFrame(.fill(4)))
        #expect(Rig.bytes(try rig.take(), count: 1) == [4])
        #expect(rig.camera.statistics.dropped[.corrupted] == 2)
        #expect(rig.events.all == [.started, .badFrames(.corrupted)])
        // The event is reported again after a quiet second.
        for _ in 0..<40 { rig.produce(FakeFrame()) }
        rig.produce(damaged)
        #expect(rig.events.all == [.started, .badFrames(.corrupted), .badFrames(.corrupted)])
        await rig.camera.stop()
    }

    @Test("row 17: a camera never delivers a frame that is too short", arguments: [0, 1, 640 * 480 * 2 - 1])
    func short(bytesUsed: Int) async throws {
        let rig = try Rig()
        try rig.start()
        var short = FakeFrame()
        short.bytesUsed = bytesUsed
        rig.produce(short)
        #expect(rig.camera.frames.take() == nil)
        #expect(rig.camera.statistics.dropped[.short] == 1)
        await rig.camera.stop()
    }

    @Test("counts the frames of a gap in the sequence numbers as lost")
    func gap() async throws {
        let rig = try Rig()
        try rig.start()
        var next = FakeFrame()
        next.sequence = 7
        rig.produce(FakeFrame(), next)
        #expect(rig.camera.statistics.dropped[.sequenceGap] == 6)
        #expect(try rig.take().info.sequence == 7)
        await rig.camera.stop()
    }

    @Test("restarts the stream after a failure and loses nothing else", arguments: [false, true])
    func restarts(byPoll: Bool) async throws {
        let rig = try Rig()
        try rig.start()
        rig.produce(FakeFrame())
        _ = rig.kernel.takeTrace(of: Rig.path)
        if byPoll {
            rig.kernel.breakStream(Rig.path)
            rig.kernel.settle()
        } else {
            rig.kernel.fail(.dequeueBuffer, on: Rig.path, with: .ioError)
            rig.produce(FakeFrame())
        }
        rig.produce(FakeFrame(.fill(5)))
        #expect(Rig.bytes(try rig.take(), count: 1) == [5])
        let calls = rig.kernel.takeTrace(of: Rig.path)
        #expect(calls.filter { $0.hasPrefix("VIDIOC_STREAM") } == ["VIDIOC_STREAMOFF", "VIDIOC_STREAMON"])
        #expect(!calls.contains("VIDIOC_REQBUFS") && !calls.contains("VIDIOC_S_FMT"))
        #expect(rig.events.all.count == 2)
        guard case .restarted(let error) = rig.events.all.last else {
            Issue.record("no restart was reported")
            return
        }
        #expect(error.errno == .ioError && error.call == "VIDIOC_DQBUF")
        await rig.camera.stop()
    }

    @Test("a camera is lost when a restart does not help")
    func restartFails() async throws {
        let rig = try Rig()
        try rig.start()
        rig.produce(FakeFrame())
        rig.kernel.fail(.streamOn, on: Rig.path, with: .ioError, times: 100)
        rig.kernel.breakStream(Rig.path)
        #expect(rig.events.wait { if case .lost(let error) = $0 { error.call == "VIDIOC_STREAMON" } else { false } })
        #expect(rig.camera.state == .lost)
        await rig.camera.stop()
    }

    @Test("row 13: a camera is lost after one restart that brings no frame")
    func secondFailureIsFinal() async throws {
        let rig = try Rig()
        try rig.start()
        rig.kernel.fail(.dequeueBuffer, on: Rig.path, with: .ioError, times: 2)
        rig.produce(FakeFrame(), FakeFrame())
        #expect(rig.events.wait { if case .lost = $0 { true } else { false } })
        await rig.camera.stop()
    }

    @Test("row 1: reports an unplugged camera once and closes its node at once, while a frame is still held")
    func unplugged() async throws {
        let rig = try Rig()
        try rig.start()
        rig.produce(FakeFrame(.fill(3)))
        let held = try rig.take()
        rig.kernel.unplug(Rig.path)
        #expect(rig.events.wait { if case .lost(let error) = $0 { error.kind == .disconnected } else { false } })
        #expect(rig.kernel.takeTrace(of: Rig.path).last == "close")
        #expect(rig.events.all.count == 2)
        #expect(Rig.bytes(held, count: 1) == [3])
        #expect(rig.kernel.mappingCount == 1)
        await #expect(throws: CaptureError.self) { try await rig.camera.enable() }
        #expect(throws: CaptureError.self) { try rig.camera.controls() }
        await rig.camera.stop()
        #expect(rig.camera.state == .lost)
    }

    @Test("row 22: a camera stalls after a second without frames, tries one restart, and resumes by itself")
    func stalls() async throws {
        let rig = try Rig()
        try rig.start()
        rig.produce(FakeFrame())
        _ = rig.kernel.takeTrace(of: Rig.path)
        rig.kernel.advance(by: .milliseconds(999))
        rig.kernel.settle()
        #expect(rig.camera.state == .streaming)
        rig.kernel.advance(by: .milliseconds(1))
        rig.kernel.settle()
        #expect(rig.camera.state == .stalled)
        for _ in 0..<10 {
            rig.kernel.advance(by: .seconds(1))
            rig.kernel.settle()
        }
        #expect(rig.kernel.takeTrace(of: Rig.path).filter { $0 == "VIDIOC_STREAMON" }.count == 1)
        #expect(rig.camera.statistics.framesPerSecond == 0)
        rig.produce(FakeFrame())
        #expect(rig.camera.state == .streaming)
        #expect(rig.events.all == [.started, .stalled(after: .seconds(1)), .resumed])
        await rig.camera.stop()
    }

    @Test("gives a slow camera five of its periods")
    func slowCameraIsPatient() async throws {
        let slow = FakeCamera.Format("YUYV", sizes: .discrete([PixelSize(640, 480)]), rates: .discrete([FrameRate(1)]))
        let rig = try Rig(FakeCamera(formats: [slow]))
        try rig.start()
        rig.kernel.settle()
        rig.kernel.advance(by: .milliseconds(4999))
        rig.kernel.settle()
        #expect(rig.camera.state == .streaming)
        rig.kernel.advance(by: .milliseconds(1))
        rig.kernel.settle()
        #expect(rig.camera.state == .stalled)
        await rig.camera.stop()
    }

    @Test(
        "row 18: restarts the stream when the driver returns a buffer that is not queued",
        arguments: [4, 32, UInt32.max])
    func driverNonsense(index: UInt32) async throws {
        let rig = try Rig()
        try rig.start()
        var first = FakeFrame()
        first.index = 4
        var nonsense = FakeFrame()
        nonsense.index = index
        // Buffer 4 is queued when the driver returns it first, but not when the driver returns it again.
        if index == 4 { rig.produce(first) }
        rig.produce(nonsense)
        #expect(rig.events.all.contains { if case .restarted = $0 { true } else { false } })
        rig.produce(FakeFrame(.fill(6)))
        #expect(Rig.bytes(try rig.take(), count: 1) == [6])
        await rig.camera.stop()
    }

    @Test("row 18: restarts the stream when the driver reports more bytes than the buffer has")
    func overlong() async throws {
        let rig = try Rig()
        try rig.start()
        var overlong = FakeFrame()
        overlong.bytesUsed = 10_000_000
        rig.produce(overlong)
        #expect(rig.camera.frames.take() == nil)
        #expect(rig.events.all.contains { if case .restarted = $0 { true } else { false } })
        await rig.camera.stop()
    }

    @Test("row 11: queues a buffer again when the driver has refused it once")
    func refusedBuffer() async throws {
        let rig = try Rig()
        try rig.start()
        rig.produce(FakeFrame())
        rig.kernel.fail(.queueBuffer, on: Rig.path, with: .invalidArgument)
        for value in 1...12 { rig.produce(FakeFrame(.fill(UInt8(value)))) }
        #expect(Rig.bytes(try rig.take(), count: 1) == [12])
        #expect(rig.camera.statistics.dropped[.sequenceGap] == 0)
        #expect(rig.events.all == [.started])
        await rig.camera.stop()
    }

    @Test("row 17: restarts the stream after thirty unusable frames in a row")
    func endlessRubbish() async throws {
        let rig = try Rig()
        try rig.start()
        var short = FakeFrame()
        short.bytesUsed = 7
        for _ in 0..<29 { rig.produce(short) }
        #expect(rig.events.all == [.badFrames(.short)])
        rig.produce(short)
        #expect(rig.events.all.count == 2)
        guard case .restarted = rig.events.all.last else {
            Issue.record("no restart was reported")
            return
        }
        await rig.camera.stop()
    }

    @Test("row 14: does not spin when poll reports a frame and there is none")
    func spuriousWakeUps() async throws {
        let rig = try Rig()
        try rig.start()
        rig.kernel.settle()
        _ = rig.kernel.takeTrace(of: Rig.path)
        rig.kernel.fail(.dequeueBuffer, on: Rig.path, with: .resourceTemporarilyUnavailable, times: 3)
        // The frame stays ready while the calls fail. The thread pauses after three empty attempts.
        rig.kernel.produce(Rig.path, FakeFrame())
        #expect(rig.kernel.waitForPause())
        #expect(rig.kernel.takeTrace(of: Rig.path).filter { $0 == "VIDIOC_DQBUF" }.count == 3)
        rig.kernel.advance(by: .milliseconds(5))
        rig.kernel.settle()
        #expect(rig.camera.frames.take() != nil)
        await rig.camera.stop()
    }

    @Test("goes on through interrupted and failed calls at the start", arguments: [V4L2Request.streamOn, .queueBuffer])
    func failsOnceAtStart(request: V4L2Request) async throws {
        let rig = try Rig()
        rig.kernel.fail(request, on: Rig.path, with: .invalidArgument)
        try rig.start()
        rig.produce(FakeFrame())
        #expect(rig.camera.frames.take() != nil)
        await rig.camera.stop()
    }

    @Test("knows a lighter mode for a full bus")
    func lighter() throws {
        let rates = FakeCamera.Rates.discrete([FrameRate(30), FrameRate(15)])
        let size = FakeCamera.Sizes.discrete([PixelSize(1280, 720)])
        let formats = [FakeCamera.Format("YUYV", sizes: size, rates: rates), .init("MJPG", sizes: size, rates: rates)]
        let rig = try Rig(FakeCamera(formats: formats))
        #expect(rig.camera.format.deviceFourCC == FourCC("YUYV"))
        let wish = try #require(rig.camera.lighterWish)
        let lighter = try Rig(FakeCamera(formats: formats), wish: wish)
        #expect(lighter.camera.format.mode.description == "MJPG 1280x720 at 30 fps")
    }

    @Test("row 8: says what to do when the bus is full, and leaves nothing running")
    func busFull() throws {
        let kernel = FakeKernel()
        do {
            let rig = try Rig(kernel: kernel)
            kernel.fail(.streamOn, on: Rig.path, with: .noSpace)
            let error = try #require(throws: CaptureError.self) { try rig.start() }
            #expect(error.kind == .noBandwidth)
            #expect(
                "\(error)".hasPrefix("/dev/video0: cannot start streaming: VIDIOC_STREAMON: No space left on device"))
            #expect("\(error)".contains("MJPEG"))
        }
        #expect(kernel.waitUntilClosed())
        #expect(kernel.mappingCount == 0)
    }
}
