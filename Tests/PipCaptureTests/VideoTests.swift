import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@testable import PipCapture

/// A fake decoder: a coded picture's first byte determines its fate, and the second one its pixels.
private final class FakeVideo: VideoDecoding, Sendable {
    enum Kind: UInt8 {
        case picture = 1
        /// The picture is accepted, and never comes out.
        case lost
        /// The decoder rejects the picture.
        case refused
        /// The picture breaks the decoder.
        case breaking
    }

    /// The second bytes of all accepted pictures.
    let taken = Monitor<[UInt8]>([])
    let made = Monitor(0)

    func makeDecoder(of format: FourCC, _ size: PixelSize) throws(VideoDecodingError) -> any VideoDecoder {
        if format == FourCC("HEVC") { throw VideoDecodingError("there is no decoder for it") }
        made.update { $0 += 1 }
        return Decoder(self, size)
    }

    private final class Decoder: VideoDecoder {
        private let video: FakeVideo
        private let size: PixelSize
        private let coded = Monitor<[(kind: Kind, value: UInt8, time: Timestamp)]>([])

        init(_ video: FakeVideo, _ size: PixelSize) { (self.video, self.size) = (video, size) }

        @unsafe func push(_ bytes: UnsafeRawBufferPointer, at time: Timestamp) -> Bool {
            let (kind, value) = unsafe (Kind(rawValue: bytes[0]) ?? .picture, bytes[1])
            guard kind != .refused else { return false }
            video.taken.update { $0.append(value) }
            coded.update { $0.append((kind, value, time)) }
            return true
        }

        func next(within patience: Duration) -> DecodedVideo {
            let deadline = MonotonicClock().now.advanced(by: patience)
            let next = coded.wait(until: deadline) { $0.isEmpty ? nil : $0.removeFirst() }
            guard let next, next.kind != .lost else { return .nothing }
            if next.kind == .breaking { return .failed("it is broken") }
            var pool = FramePool(FrameLayout(.i420, size), limit: 1)
            guard let memory = pool.next() else { return .failed("no memory") }
            unsafe memory.mutableBytes(ofPlane: 0).initializeMemory(as: UInt8.self, repeating: next.value)
            return .picture(pool.layout, .bt709, memory, time: next.time)
        }

        func stop() {}
    }
}

@Suite("Video of cameras with an encoder")
struct VideoTests {
    private static let path = "/dev/video0"
    private let kernel = FakeKernel()
    private let video = FakeVideo()
    private let signals = SignalCounter()

    private var directory: CameraDirectory {
        var directory = CameraDirectory(calls: kernel)
        directory.videoDecoding = video
        return directory
    }

    private func slot(
        _ formats: [String] = ["YUYV", "H264"], asking format: String? = "H264", in directory: CameraDirectory? = nil
    ) throws(CaptureError) -> CameraSlot {
        kernel.add(Self.path, FakeCamera(formats: formats.map { FakeCamera.Format($0, 64, 48) }))
        return try CameraSlot(
            .path(Self.path), wish: CameraWish(format: format.map { FourCC($0) }), in: directory ?? self.directory)
    }

    private static func coded(_ kind: FakeVideo.Kind, _ value: UInt8) -> FakeFrame {
        .compressed([kind.rawValue, value] + [UInt8](repeating: 0, count: 100))
    }

    private func deliver(_ frames: [FakeFrame]) {
        for frame in frames {
            kernel.advance(by: .milliseconds(33))
            kernel.produce(Self.path, frame)
            kernel.settle()
        }
    }

    @Test("every frame is decoded, also in a burst, and pictures have their frames' timestamps and numbers")
    func order() async throws {
        let slot = try slot()
        try slot.start { [signals] in signals.signal() }
        kernel.advance(by: .milliseconds(100))
        kernel.burst(Self.path, (1...4).map { Self.coded(.picture, $0) })
        kernel.settle()
        try #require(signals.wait(for: 4))
        #expect(video.taken.read { $0 } == [1, 2, 3, 4])
        let frame = try #require(slot.frames.take())
        #expect(Rig.bytes(frame, count: 1) == [4])
        #expect(frame.info.sequence == 3 && !frame.info.isTimestampEstimated)
        #expect(frame.info.colorimetry == .bt709 && frame.layout.size == PixelSize(64, 48))
        #expect(slot.format?.deviceFourCC == FourCC("H264"))
        await slot.stop()
        #expect(slot.statistics.delivered == 4 && slot.statistics.dropped.total == 3)
    }

    @Test("a rate limit and a pause drop pictures, but no data that later pictures need")
    func decimated() async throws {
        let slot = try slot()
        slot.pace = .milliseconds(100)
        try slot.start { [signals] in signals.signal() }
        deliver((0..<30).map { Self.coded(.picture, $0) })
        try #require(signals.wait(for: 9))
        await slot.stop()
        #expect(video.taken.read { $0 } == Array(0..<30))
        let statistics = slot.statistics
        #expect(statistics.dropped[.decimated] >= 18)
        #expect(statistics.delivered + statistics.dropped[.decimated] + statistics.dropped[.late] >= 30)
    }

    @Test("frames that the decoder refuses or loses count as corrupted, each once")
    func undecodable() async throws {
        let slot = try slot()
        try slot.start { [signals] in signals.signal() }
        deliver((0..<4).map { Self.coded(.refused, $0) })
        deliver((4..<8).map { Self.coded(.lost, $0) })
        deliver((8..<40).map { Self.coded(.picture, $0) })
        try #require(signals.wait(for: 32))
        await slot.stop()
        let statistics = slot.statistics
        #expect(statistics.delivered == 32)
        #expect(statistics.dropped[.corrupted] == 8, "\(statistics.dropped)")
        #expect(statistics.lastSequence == 39)
    }

    @Test("a decoder that breaks is replaced after a second")
    func replaced() async throws {
        let slot = try slot()
        try slot.start { [signals] in signals.signal() }
        deliver([Self.coded(.picture, 1), Self.coded(.breaking, 2)])
        try #require(signals.wait(for: 1))
        let deadline = MonotonicClock().now.advanced(by: .seconds(60))
        while video.made.read({ $0 }) < 2, MonotonicClock().now < deadline {
            kernel.advance(by: .milliseconds(100))
            await Task.yield()
        }
        #expect(video.made.read { $0 } == 2)
        // Delivers pictures until the new decoder is in place.
        var value: UInt8 = 3
        while signals.value < 2, MonotonicClock().now < deadline {
            deliver([Self.coded(.picture, value)])
            value = value == 200 ? 3 : value + 1
            await Task.yield()
        }
        #expect(signals.value >= 2)
        await slot.stop()
    }

    @Test("an encoded format is used on request, or where there is no other")
    func chosen() throws {
        #expect(try slot(asking: nil).format?.deviceFourCC == FourCC("YUYV"))
        #expect(try slot(["H264"], asking: nil).format?.deviceFourCC == FourCC("H264"))
    }

    @Test("a camera without a decoder is refused before it streams, with the reason")
    func missing() {
        let plain = CameraDirectory(calls: kernel)
        let none = #expect(throws: CaptureError.self) { try slot(in: plain) }
        #expect(none?.kind == .unsupported)
        #expect(none?.description.contains("this program has no decoder for cameras' video") == true)
        let broken = #expect(throws: CaptureError.self) { try slot(["HEVC"], asking: nil) }
        #expect(
            broken?.description
                == "/dev/video0: cannot use its HEVC: there is no decoder for it"
                + " (request another format, if the camera has one)",
            "\(String(describing: broken))")
        #expect(!kernel.isStreaming(Self.path))
    }

    @Test("a recording gets every picture, decoded")
    func recorded() async throws {
        let queue = CountedQueue<CapturedFrame>(capacity: 40)
        let slot = try slot()
        slot.subscribe(queue)
        slot.pace = .milliseconds(100)
        try slot.start()
        deliver((0..<10).map { Self.coded(.picture, $0) })
        let deadline = MonotonicClock().now.advanced(by: .seconds(60))
        let values = (0..<10).compactMap { _ -> UInt8? in
            guard let frame = queue.pop(until: deadline), case .pixels(let buffer) = frame.payload else { return nil }
            return Rig.bytes(Frame(info: frame.info, buffer: buffer), count: 1)[0]
        }
        #expect(values == Array(0..<10))
        await slot.stop()
    }
}
