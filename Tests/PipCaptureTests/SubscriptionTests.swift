import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@testable import PipCapture

@Suite("Copies of every frame")
struct SubscriptionTests {
    private static let path = "/dev/video0"
    private let kernel = FakeKernel()
    private let queue = CountedQueue<CapturedFrame>(capacity: 40)

    /// A streaming slot, whose frames a queue receives.
    private func slot(_ format: String, _ queue: CountedQueue<CapturedFrame>) throws -> CameraSlot {
        kernel.add(Self.path, FakeCamera(formats: [FakeCamera.Format(format, 64, 48)]))
        let slot = try CameraSlot(.path(Self.path), in: CameraDirectory(calls: kernel))
        slot.subscribe(queue)
        try slot.start()
        return slot
    }

    private func deliver(_ frames: [FakeFrame]) {
        for frame in frames {
            kernel.advance(by: .milliseconds(20))
            kernel.produce(Self.path, frame)
            kernel.settle()
        }
    }

    private func take(_ count: Int, from queue: CountedQueue<CapturedFrame>) -> [CapturedFrame] {
        let deadline = MonotonicClock().now.advanced(by: .seconds(60))
        return (0..<count).compactMap { _ in queue.pop(until: deadline) }
    }

    @Test("pixels are copied, also of decimated frames, and the driver gets its buffers back")
    func pixels() async throws {
        let slot = try slot("YUYV", queue)
        slot.pace = .milliseconds(200)
        deliver((0..<20).map { FakeFrame(.fill(UInt8($0))) })
        let frames = take(20, from: queue)
        let values = frames.map { frame -> Int in
            guard case .pixels(let buffer) = frame.payload else { return -1 }
            return Frame(info: frame.info, buffer: buffer).withPlane(0) { bytes, _ in
                unsafe Int(bytes.unsafeLoad(fromByteOffset: 100, as: UInt8.self))
            }
        }
        #expect(values == Array(0..<20))
        #expect(frames.map(\.info.sequence) == Array(0..<20))
        #expect(frames.allSatisfy { $0.info.layout.format == .yuyv && $0.rate == FrameRate(30) })
        let steps = zip(frames.dropFirst(), frames).map { $1.info.timestamp.duration(to: $0.info.timestamp) }
        #expect(steps.allSatisfy { $0 == .milliseconds(20) })
        // All 20 frames are held, and none was lost for want of a buffer.
        #expect(slot.statistics.dropped[.decimated] > 10 && slot.statistics.dropped[.sequenceGap] == 0)
        await slot.stop()
    }

    @Test("copies continue while the camera's picture is paused, whatever its format", arguments: ["YUYV", "Y16"])
    func paused(format: String) async throws {
        let slot = try slot(format, queue)
        let before = slot.setup
        var after = before
        after.wish.isPaused = true
        _ = try await CameraTransaction(
            [(slot: slot, change: SetupChange(from: before, to: after))], beside: [slot],
            in: CameraDirectory(calls: kernel))
        for _ in 0..<5 {
            deliver([FakeFrame(.fill(7))])
            #expect(take(1, from: queue).count == 1)
            #expect(slot.frames.take() == nil)
        }
        await slot.stop()
        #expect(slot.statistics.dropped[.disabled] == 5)
    }

    @Test("JPEG pictures are copied byte for byte, from two cameras in one slot")
    func pictures() async throws {
        let slot = try slot("MJPG", queue)
        let pictures = (0..<10).map { TestJPEG.flat(PixelSize(64, 48), .s422, UInt8(40 + $0 * 10)) }
        deliver(pictures[..<5].map { FakeFrame.compressed($0) })
        kernel.unplug(Self.path)
        kernel.waitForWatches()
        kernel.add(Self.path, FakeCamera(formats: [FakeCamera.Format("MJPG", 64, 48)]))
        while slot.state != .streaming { kernel.advance(by: .milliseconds(20)) }
        // Wait until the new camera's thread waits for frames, so that it receives every frame that is delivered next.
        kernel.settle()
        deliver(pictures[5...].map { FakeFrame.compressed($0) })
        let copies = take(10, from: queue).map { frame -> [UInt8] in
            if case .jpeg(let bytes) = frame.payload { bytes } else { [] }
        }
        #expect(copies == pictures)
        await slot.stop()
    }

    @Test("frames that a library converts are copied after decoding")
    func converted() async throws {
        let slot = try slot("RGGB", queue)
        deliver([FakeFrame(.fill(90))])
        let frames = take(1, from: queue)
        #expect(frames.first?.info.layout.format == .i420)
        await slot.stop()
    }

    @Test("frames that find no room are counted, and capture continues")
    func full() async throws {
        let small = CountedQueue<CapturedFrame>(capacity: 3)
        let slot = try slot("NV12", small)
        deliver((0..<30).map { FakeFrame(.fill(UInt8($0))) })
        #expect(small.takeDrops() == 27 && small.takeDrops() == 0)
        #expect(slot.statistics.lastSequence == 29 && slot.statistics.dropped[.sequenceGap] == 0)
        #expect(take(3, from: small).map(\.info.sequence) == [0, 1, 2])
        slot.unsubscribe(small)
        deliver([FakeFrame(.fill(1))])
        small.close()
        #expect(small.pop() == nil && small.isFinished && small.takeDrops() == 0)
        await slot.stop()
    }

    @Test("damaged frames are not copied")
    func damaged() async throws {
        let slot = try slot("NV12", queue)
        var short = FakeFrame(.fill(1))
        short.bytesUsed = 100
        deliver([FakeFrame(.fill(7)), short, FakeFrame(.fill(9))])
        #expect(take(2, from: queue).map(\.info.sequence) == [0, 2])
        await slot.stop()
    }
}
