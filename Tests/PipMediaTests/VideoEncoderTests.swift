#if Media
import PipCompose
import PipConcurrency
import PipFrames
import PipPressure
import PipTestSupport
import Synchronization
import Testing

@testable import PipMedia

@Suite("An encoder shared by outputs")
struct VideoEncoderTests {
    private static let rate = FrameRate(30)
    private let info = FrameInfo(layout: FrameLayout(.nv12, PixelSize(64, 48)), colorimetry: .bt709)

    func encoder(
        _ encoding: VideoEncoding = VideoEncoding(), among candidates: [EncoderElement]? = nil,
        capacity: Int = 6, relief: @escaping @Sendable () -> EncodingRelief = { .none },
        onReplacement: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> VideoEncoder {
        try VideoEncoder(
            EncodingRequest(encoding, of: info, rate: Self.rate), among: candidates, capacity: capacity, start: .zero,
            relief: relief, onReplacement: onReplacement)
    }

    /// Makes a frame of partly constant, partly changing noise.
    ///
    /// The noise costs bits, but encoders do not take the changes for a scene change.
    private func noise(_ number: Int) -> Frame {
        var info = info
        info.sequence = UInt64(number)
        info.timestamp = Timestamp.zero.advanced(by: Self.rate.interval * number)
        let buffer = FrameBuffer(info.layout)
        var (changing, lasting) = (UInt64(number + 1), UInt64(0))
        func next(_ random: inout UInt64, bits: Int) -> UInt8 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(random >> (64 - bits))
        }
        for plane in 0..<2 {
            buffer.withMutablePlane(plane, of: info.layout) { bytes, _ in
                for index in bytes.byteOffsets {
                    let value = next(&lasting, bits: 7) + next(&changing, bits: 5)
                    bytes.storeBytes(of: value, toByteOffset: index, as: UInt8.self)
                }
            }
        }
        return Frame(info: info, buffer: buffer)
    }

    private func frame(_ number: Int) -> Frame {
        var info = info
        info.sequence = UInt64(number)
        info.timestamp = Timestamp.zero.advanced(by: Self.rate.interval * number)
        // All frames are equal, because encoders insert key frames where a picture differs entirely.
        let buffer = FrameBuffer(info.layout)
        for plane in 0..<2 {
            buffer.withMutablePlane(plane, of: info.layout) { bytes, _ in
                for index in bytes.byteOffsets { bytes.storeBytes(of: 128, toByteOffset: index, as: UInt8.self) }
            }
        }
        return Frame(info: info, buffer: buffer)
    }

    /// Submits a frame to outputs like the render loop: announces the frame to all outputs, and then submits it to
    /// each.
    func submit(
        _ number: Int, to outputs: [EncodedFrames], beginsPart: Bool = false, hasNoise: Bool = false
    ) {
        let frame = hasNoise ? noise(number) : frame(number)
        for output in outputs { output.expect(frame, beginsPart: beginsPart) }
        for output in outputs {
            while true {
                let outcome = output.submit(frame, beginsPart: beginsPart, until: .distantFuture)
                guard case .timedOut = outcome else { break }
            }
        }
    }

    /// Ends an output, and returns all its packets.
    func packets(_ output: EncodedFrames) -> [PacketFeed.Delivery] {
        output.finish(by: MonotonicClock().now.advanced(by: .seconds(20)))
        var packets: [PacketFeed.Delivery] = []
        while let delivery = output.feed.next(until: nil) { packets.append(delivery) }
        return packets
    }

    func numbers(_ packets: [PacketFeed.Delivery]) -> [Int] {
        packets.map { Int((Double($0.packet.time.nanoseconds) / 1e9 * 30).rounded()) }
    }

    @Test("encoders that refuse frames are named with the reasons")
    func refusals() {
        let info = FrameInfo(layout: FrameLayout(.i420, PixelSize(8, 8)), colorimetry: .bt709)
        let encoder = EncoderChoice.explained(VideoEncoding(.h264), info, FrameRate(30), output: "small.mp4")
        #expect(encoder.name == nil)
        #expect(encoder.refused.contains { $0.name == "x264enc" && $0.reason.contains("too small") })
        #expect(encoder.description.contains("x264enc: refused 8x8 i420: pictures of 8x8 are too small"))
        #expect(encoder.description.hasSuffix("; no encoder"))
    }

    @Test("an encoder that has failed is tried again at another frame rate")
    func failureAtOneRate() throws {
        let element = try #require(EncoderElement.named("jpegenc"))
        try #require(GStreamer.has(element.name))
        // No other test tries encoders at this size.
        let info = FrameInfo(layout: FrameLayout(.i420, PixelSize(72, 56)), colorimetry: .bt709)
        func request(_ rate: FrameRate) -> EncodingRequest {
            EncodingRequest(VideoEncoding(.mjpeg), of: info, rate: rate)
        }
        EncoderTrial.noteFailure(of: element, request(FrameRate(30)), because: "it was busy")
        #expect(EncoderTrial.result(element, request(FrameRate(30))) == .fails("it was busy"))
        #expect(EncoderTrial.result(element, request(FrameRate(60))) == .works)
    }

    @Test(
        "an output has memory for the frames that its encoder may hold back",
        arguments: [
            (VideoEncoding(.h264), 6), (VideoEncoding(.av1), 40), (VideoEncoding(.av1, encoder: "av1enc"), 6),
        ])
    func heldFrames(encoding: VideoEncoding, count: Int) {
        #expect(EncoderChoice.heldFrames(encoding) == count)
    }

    @Test("two outputs get the same packets, and an output that joins later begins with a key frame")
    func shares() throws {
        let encoder = try encoder()
        let first = EncodedFrames(encoder, capacity: 100, waits: true)
        let second = EncodedFrames(encoder, capacity: 100, waits: true)
        for number in 0..<20 { submit(number, to: [first, second]) }
        let late = EncodedFrames(encoder, capacity: 100, waits: true)
        for number in 20..<33 { submit(number, to: [first, late]) }
        // The second output was paused before these frames.
        for number in 33..<40 { submit(number, to: [first, second, late]) }
        let all = [first, second, late].map(packets)
        #expect(all.map(numbers) == [Array(0..<40), Array(0..<20) + Array(33..<40), Array(20..<40)])
        #expect(zip(all[0], all[1]).prefix(20).allSatisfy { $0.packet === $1.packet })
        #expect(zip(all[0].dropFirst(20), all[2]).allSatisfy { $0.packet === $1.packet })
        #expect(all[2].first?.packet.isKey == true && all[1][20].packet.isKey)
        #expect(numbers(all[0].filter(\.packet.isKey)) == [0, 20, 33])
    }

    @Test("a part begins with exactly the requested frame")
    func parts() throws {
        let output = EncodedFrames(try encoder(), capacity: 100, waits: true)
        for number in 0..<30 { submit(number, to: [output], beginsPart: number == 0 || number == 17) }
        let packets = packets(output)
        #expect(numbers(packets) == Array(0..<30))
        #expect(numbers(packets.filter(\.beginsPart)) == [0, 17])
        #expect(packets.filter { $0.beginsPart && !$0.packet.isKey }.isEmpty)
    }

    @Test("an output with a backlog drops frames that would wait behind it, and needs no key frame for that")
    func backlog() throws {
        let encoder = try encoder(capacity: 1000)
        let live = EncodedFrames(encoder, capacity: 1000, waits: false, backlog: 1)
        let outcomes = (0..<100).map(noise).map { frame in
            live.expect(frame, beginsPart: false)
            return live.submit(frame, beginsPart: false, until: .distantFuture)
        }
        let packets = packets(live)
        #expect(outcomes.contains(.dropped))
        #expect(numbers(packets) == outcomes.indices.filter { outcomes[$0] == .taken })
        #expect(numbers(packets.filter(\.packet.isKey)) == [0])
    }

    @Test("VP8's first key frame is no larger than later ones")
    func firstKeyFrame() throws {
        let encoding = VideoEncoding(.vp8, rate: .bits(600_000), keyFrameInterval: .seconds(20))
        let output = EncodedFrames(try encoder(encoding), capacity: 100, waits: true)
        for number in 0..<60 { submit(number, to: [output], beginsPart: number % 30 == 0, hasNoise: true) }
        let keys = packets(output).filter(\.packet.isKey).map(\.packet.byteCount)
        try #require(keys.count == 2)
        #expect(keys[0] < keys[1] * 3 / 2, "\(keys)")
    }

    @Test(
        "VP8 has fewer threads than processors, and one for a small picture",
        arguments: [(1, 1), (2, 1), (3, 2), (5, 2), (6, 3), (64, 3)])
    func vp8Threads(processors: Int, threads: Int) {
        #expect(EncoderElement.vp8Threads(.hd720, processors: processors) == threads)
        #expect(EncoderElement.vp8Threads(PixelSize(640, 360), processors: processors) == 1)
    }

    @Test(
        "under pressure the bit rate falls, without a key frame where the encoder can change it while running",
        arguments: [("x264enc", [0]), ("vp8enc", [0, 120, 240])])
    func fewerBits(name: String, keys: [Int]) throws {
        let element = try #require(EncoderElement.named(name))
        try #require(GStreamer.has(name))
        let relief = Mutex(EncodingRelief.none)
        let encoding = VideoEncoding(element.codec, rate: .bits(600_000), keyFrameInterval: .seconds(20))
        let encoder = try encoder(encoding, among: [element], relief: { relief.withLock { $0 } })
        let output = EncodedFrames(encoder, capacity: 400, waits: true)
        for number in 0..<360 {
            if number == 120 { relief.withLock { $0.bitRateShare = 0.4 } }
            if number == 240 { relief.withLock { $0.bitRateShare = 1 } }
            submit(number, to: [output], hasNoise: true)
        }
        let packets = packets(output)
        try #require(numbers(packets) == Array(0..<360))
        func bytes(_ range: Range<Int>) -> Int { range.reduce(0) { $0 + packets[$1].packet.byteCount } }
        // Leave out the first 40 frames of each bit rate, during which the encoder adapts.
        #expect(Double(bytes(160..<240)) < 0.7 * Double(bytes(40..<120)))
        #expect(Double(bytes(280..<360)) > 1.4 * Double(bytes(160..<240)))
        #expect(numbers(packets.filter(\.packet.isKey)) == keys)
    }

    @Test("under pressure the encoder does less work, from a key frame on, and no frame is lost or out of order")
    func lessWork() throws {
        let relief = Mutex(EncodingRelief.none)
        let encoder = try encoder(relief: { relief.withLock { $0 } })
        let outputs = (0..<2).map { _ in EncodedFrames(encoder, capacity: 100, waits: true) }
        for number in 0..<60 {
            if number == 20 { relief.withLock { $0.isFastest = true } }
            if number == 40 { relief.withLock { $0.isFastest = false } }
            submit(number, to: outputs)
        }
        for output in outputs {
            let packets = packets(output)
            #expect(numbers(packets) == Array(0..<60))
            #expect(numbers(packets.filter(\.packet.isKey)) == [0, 20, 40])
            #expect(packets.allSatisfy { $0.packet.format.isEqual(to: packets[0].packet.format) })
        }
    }

    @Test("pressure lowers a quality, and reduces a bit rate")
    func relieved() {
        let half = EncodingRelief(bitRateShare: 0.5)
        let quality = VideoEncoding(rate: .quality(80)).relieved(by: half, .hd720, Self.rate)
        #expect(quality.rate == .quality(40))
        let bits = VideoEncoding().relieved(by: half, .hd720, Self.rate)
        #expect(bits.bitRate(.hd720, Self.rate) == VideoEncoding().bitRate(.hd720, Self.rate) / 2)
        let fast = VideoEncoding(speed: .thorough).relieved(by: EncodingRelief(isFastest: true), .hd720, Self.rate)
        #expect(fast.savesWork && fast.speed == .thorough)
        let fastest = VideoEncoding(speed: .fastest)
        #expect(fastest.relieved(by: EncodingRelief(isFastest: true), .hd720, Self.rate) == fastest)
        #expect(VideoEncoding().relieved(by: .none, .hd720, Self.rate) == VideoEncoding())
    }

    @Test("row 55: an encoder that fails while running is replaced by the next one, from a key frame on")
    func replaces() throws {
        let x264 = try #require(EncoderElement.named("x264enc"))
        var broken = x264
        broken = EncoderElement(
            name: "identity", elements: "identity error-after=20 ! x264enc", codec: .h264, formats: x264.formats,
            properties: x264.properties)
        let told = Monitor<[String]>([])
        let encoder = try encoder(among: [broken, x264], onReplacement: { text in told.update { $0.append(text) } })
        #expect(encoder.name == "identity")
        let output = EncodedFrames(encoder, capacity: 100, waits: true)
        for number in 0..<60 {
            submit(number, to: [output])
            // Wait for the replacement, because a camera's frames do not come all at once.
            if number == 25 { _ = told.wait(until: MonotonicClock().now.advanced(by: .seconds(10))) { $0.first } }
        }
        #expect(encoder.name == "x264enc")
        let packets = packets(output)
        let found = numbers(packets)
        // The frames in the failed encoder are lost.
        let before = found.prefix { $0 < 20 }
        #expect(before.count >= 10 && Array(before) == Array(0..<before.count), "\(found)")
        #expect(found.suffix(34) == Array(26..<60)[...], "\(found)")
        // The next encoder may begin with any frame after frame 19, because the failed encoder refused frame 20.
        let lost = packets.firstIndex { $0.packet.time > Timestamp.zero.advanced(by: Self.rate.interval * 19.5) }
        #expect(lost.map { packets[$0].packet.isKey } == true)
        #expect(told.read { $0.first }?.contains("the encoder identity has failed") == true)
        #expect(told.read { $0.first }?.contains("x264enc goes on, from a key frame") == true)
        if let lost {
            let gap = packets[lost - 1].packet.time.duration(to: packets[lost].packet.time)
            FaultReport.record(
                row: 55,
                figures:
                    "fails after 20 frames: the next one goes on \(gap / .milliseconds(1)) ms later, from a key frame",
                on: .fake)
        }
    }

    @Test("when no encoder is left, an error says so, and nothing waits for a packet")
    func endsWithoutEncoder() throws {
        let x264 = try #require(EncoderElement.named("x264enc"))
        let broken = EncoderElement(
            name: "queue", elements: "identity error-after=7 ! x264enc", codec: .h264, formats: x264.formats,
            properties: x264.properties)
        let told = Monitor<[String]>([])
        let encoder = try encoder(among: [broken], onReplacement: { text in told.update { $0.append(text) } })
        let output = EncodedFrames(encoder, capacity: 100, waits: true)
        for number in 0..<30 { submit(number, to: [output]) }
        #expect(
            told.wait(until: MonotonicClock().now.advanced(by: .seconds(10))) { $0.first }?.contains("no other") == true
        )
        #expect(numbers(packets(output)).starts(with: 0..<5))
    }
}
#endif
