import CV4L2
import PipCapture
import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@Suite("A streaming camera")
struct StreamingTests {
    @Test("delivers frames with their pixels, number and timestamp")
    func delivers() async throws {
        let rig = try Rig()
        try rig.start()
        let stamp = rig.kernel.now.advanced(by: .milliseconds(5))
        var frame = FakeFrame(.data([1, 2, 3, 4]))
        frame.timestamp = stamp
        rig.produce(frame)
        let first = try rig.take()
        #expect(Rig.bytes(first, count: 4) == [1, 2, 3, 4])
        #expect(first.info.sequence == 0)
        #expect(first.timestamp == stamp)
        #expect(!first.info.isTimestampEstimated)
        #expect(first.layout == rig.camera.format.layout)
        #expect(rig.signals.value == 1)
        #expect(rig.events.all == [.started])
        await rig.camera.stop()
    }

    @Test("keeps the newest frame when the consumer is slow, and counts the others as late")
    func newestWins() async throws {
        let rig = try Rig()
        try rig.start()
        rig.produce(FakeFrame(.fill(1)), FakeFrame(.fill(2)), FakeFrame(.fill(3)))
        #expect(Rig.bytes(try rig.take(), count: 1) == [3])
        #expect(rig.camera.statistics.dropped[.late] == 2)
        await rig.camera.stop()
    }

    @Test("hands over the newest of several ready buffers")
    func drains() async throws {
        let rig = try Rig()
        try rig.start()
        rig.kernel.settle()
        // Three frames arrive before the thread can dequeue any.
        rig.kernel.burst(Rig.path, [FakeFrame(.fill(1)), FakeFrame(.fill(2)), FakeFrame(.fill(3))])
        rig.kernel.settle()
        #expect(Rig.bytes(try rig.take(), count: 1) == [3])
        #expect(rig.camera.frames.take() == nil)
        #expect(rig.camera.statistics.lastSequence == 2)
        #expect(rig.camera.statistics.dropped[.late] == 2)
        await rig.camera.stop()
    }

    @Test("does not let the driver write into a frame that is still held")
    func holdsBuffers() async throws {
        let rig = try Rig()
        try rig.start()
        var held: [Frame] = []
        for value in 1...5 {
            rig.produce(FakeFrame(.fill(UInt8(value))))
            held.append(try rig.take())
        }
        // All five buffers are held, so these frames find none and are lost.
        rig.produce(FakeFrame(.fill(6)), FakeFrame(.fill(7)))
        #expect(rig.camera.frames.take() == nil)
        #expect(held.map { Rig.bytes($0, count: 1) } == [[1], [2], [3], [4], [5]])

        held.removeAll()
        rig.kernel.advance(by: .milliseconds(10))
        rig.kernel.settle()
        rig.produce(FakeFrame(.fill(8)))
        let next = try rig.take()
        #expect(Rig.bytes(next, count: 1) == [8])
        #expect(next.info.sequence == 7)
        #expect(rig.camera.statistics.dropped[.sequenceGap] == 2)
        await rig.camera.stop()
    }

    @Test("a camera does not count as stalled while the consumer holds every buffer")
    func starvedIsNotStalled() async throws {
        let rig = try Rig()
        try rig.start()
        var held: [Frame] = []
        for _ in 0..<5 {
            rig.produce(FakeFrame())
            held.append(try rig.take())
        }
        for _ in 0..<4 {
            rig.kernel.advance(by: .seconds(1))
            rig.kernel.settle()
        }
        #expect(rig.camera.state == .streaming)
        #expect(rig.events.all == [.started])
        #expect(held.count == 5)
        await rig.camera.stop()
    }

    @Test("accounts for every frame: taken + dropped = last sequence number + 1")
    func books() async throws {
        let rig = try Rig()
        try rig.start()
        var taken = 0
        var damaged = FakeFrame()
        damaged.flags = UInt32(V4L2_BUF_FLAG_ERROR)
        var short = FakeFrame()
        short.bytesUsed = 100
        for step in 0..<60 {
            switch step % 7 {
            case 2: rig.produce(damaged)
            case 4: rig.produce(short)
            case 5:
                var late = FakeFrame()
                late.sequence = UInt32(rig.camera.statistics.lastSequence.map { $0 + 4 } ?? 0)
                rig.produce(late)
            default: rig.produce(FakeFrame())
            }
            if step % 3 == 0, rig.camera.frames.take() != nil { taken += 1 }
        }
        await rig.camera.stop()
        let statistics = rig.camera.statistics
        #expect(statistics.dropped[.sequenceGap] > 0 && statistics.dropped[.corrupted] > 0)
        #expect(statistics.dropped[.short] > 0 && statistics.dropped[.late] > 0)
        #expect(UInt64(taken + statistics.dropped.total) == (try #require(statistics.lastSequence)) + 1)
    }

    @Test("stops while nothing arrives, and gives everything back")
    func stops() async throws {
        let rig = try Rig()
        try rig.start()
        rig.kernel.settle()
        await rig.camera.stop()
        #expect(rig.camera.state == .closed)
        #expect(rig.kernel.mappingCount == 0)
        #expect(rig.kernel.takeTrace(of: Rig.path).suffix(3) == ["VIDIOC_STREAMOFF", "VIDIOC_REQBUFS", "close"])
    }

    @Test("keeps a held frame readable after it has stopped, and unmaps it afterwards")
    func heldFrameOutlivesCamera() async throws {
        let rig = try Rig()
        try rig.start()
        rig.produce(FakeFrame(.fill(9)))
        do {
            let frame = try rig.take()
            await rig.camera.stop()
            #expect(Rig.bytes(frame, count: 1) == [9])
            #expect(rig.kernel.mappingCount == 1)
        }
        #expect(rig.kernel.mappingCount == 0)
    }

    @Test("counts a frame that nobody has taken as late when it stops")
    func leftoverIsLate() async throws {
        let rig = try Rig()
        try rig.start()
        rig.produce(FakeFrame())
        await rig.camera.stop()
        #expect(rig.camera.frames.take() == nil)
        #expect(rig.camera.statistics.dropped[.late] == 1)
    }

    @Test("stops by itself when its last reference is released")
    func deinitStops() throws {
        let kernel = FakeKernel()
        do {
            let rig = try Rig(kernel: kernel)
            try rig.start()
            kernel.settle()
        }
        #expect(kernel.waitUntilClosed())
        #expect(kernel.mappingCount == 0)
    }

    @Test("leaves nothing open once it is stopped and released")
    func stoppedLeavesNothing() async throws {
        let kernel = FakeKernel()
        do {
            let rig = try Rig(kernel: kernel)
            try rig.start()
            rig.produce(FakeFrame())
            try await rig.camera.disable()
            try await rig.camera.enable()
            await rig.camera.stop()
        }
        #expect(kernel.waitUntilClosed())
        #expect(kernel.mappingCount == 0)
    }

    @Test("leaves nothing open when it was never started")
    func neverStarted() throws {
        let kernel = FakeKernel()
        do { _ = try Rig(kernel: kernel) }
        #expect(kernel.openDescriptorCount == 0)
        #expect(kernel.mappingCount == 0)
    }

    @Test("measures its rate")
    func measuresRate() async throws {
        let rig = try Rig()
        try rig.start()
        for _ in 0..<20 { rig.produce(FakeFrame()) }
        #expect(abs(rig.camera.statistics.framesPerSecond - 1000 / 33) < 0.5)
        // A camera's pause does not count as a low rate.
        rig.kernel.advance(by: .seconds(5))
        rig.kernel.settle()
        for _ in 0..<5 { rig.produce(FakeFrame()) }
        #expect(abs(rig.camera.statistics.framesPerSecond - 1000 / 33) < 0.5)
        await rig.camera.stop()
    }

    @Test("cannot be started twice")
    func startsOnce() async throws {
        let rig = try Rig()
        try rig.start()
        #expect(throws: CaptureError.self) { try rig.start() }
        await rig.camera.stop()
        #expect(throws: CaptureError.self) { try rig.start() }
    }
}
