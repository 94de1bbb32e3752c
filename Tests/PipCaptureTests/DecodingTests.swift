import PipCodecs
import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@testable import PipCapture

@Suite("Compressed and unusual formats")
struct DecodingTests {
    private static let size = PixelSize(64, 48)

    private static func rig(_ format: String = "MJPG", _ size: PixelSize = size) throws -> Rig {
        try Rig(FakeCamera(formats: [.init(format, size.width, size.height)]), wish: CameraWish(size: size))
    }

    /// The rows of a plane's samples, without padding.
    private static func samples(_ frame: Frame, _ plane: Int) -> [[UInt8]] {
        frame.withPlane(plane) { bytes, layout in
            (0..<layout.dimensions.height).map { y in
                (0..<layout.rowBytes).map { x in
                    unsafe bytes.unsafeLoad(fromByteOffset: y * layout.strideInBytes + x, as: UInt8.self)
                }
            }
        }
    }

    /// Delivers a compressed frame, and returns the decoded one.
    private static func decode(_ rig: Rig, _ jpeg: [UInt8]) throws -> Frame {
        let before = rig.signals.value
        rig.produce(.compressed(jpeg))
        try #require(rig.signals.wait(for: before + 1))
        return try rig.take()
    }

    /// Delivers a compressed frame, and expects its refusal.
    private static func refuse(_ rig: Rig, _ jpeg: [UInt8]) async {
        let before = rig.camera.statistics
        rig.produce(.compressed(jpeg))
        let isSettled = await rig.waitUntil {
            $0.statistics.dropped[.corrupted] > before.dropped[.corrupted] || $0.statistics.delivered > before.delivered
        }
        #expect(isSettled)
        #expect(rig.camera.statistics.dropped[.corrupted] == before.dropped[.corrupted] + 1)
        #expect(rig.camera.frames.take() == nil)
    }

    @Test("MJPEG becomes I420 whatever its sampling", arguments: TestJPEG.Sampling.allCases)
    func samplings(sampling: TestJPEG.Sampling) async throws {
        let rig = try Self.rig()
        #expect(rig.camera.format.layout.format == .i420)
        #expect(rig.camera.format.colorimetry == .jpeg)
        try rig.start()
        let frame = try Self.decode(rig, TestJPEG.flat(Self.size, sampling))
        #expect(frame.layout == rig.camera.format.layout)
        let chroma: [UInt8] = sampling == .gray ? [128, 128] : [100, 200]
        #expect(Self.samples(frame, 0) == Array(repeating: Array(repeating: 90, count: 64), count: 48))
        #expect(Self.samples(frame, 1) == Array(repeating: Array(repeating: chroma[0], count: 32), count: 24))
        #expect(Self.samples(frame, 2) == Array(repeating: Array(repeating: chroma[1], count: 32), count: 24))
        await rig.camera.stop()
    }

    @Test("MJPEG keeps its colours in place", arguments: TestJPEG.Sampling.allCases.filter { $0 != .gray })
    func places(sampling: TestJPEG.Sampling) async throws {
        let rig = try Self.rig()
        try rig.start()
        // The picture has four quarters, each of one colour.
        func quarter(_ x: Int, _ y: Int) -> Int { (x < 32 ? 0 : 1) + (y < 32 ? 0 : 2) }
        let jpeg = TestJPEG.encode(
            Self.size, sampling, luma: { UInt8(50 + 40 * quarter($0, $1)) },
            chroma: { (UInt8(60 + 30 * quarter($0, $1)), UInt8(220 - 30 * quarter($0, $1))) })
        let frame = try Self.decode(rig, jpeg)
        for (x, y) in [(8, 8), (55, 8), (8, 40), (55, 40)] {
            let expected = quarter(x, y)
            #expect(abs(Int(Self.samples(frame, 0)[y][x]) - (50 + 40 * expected)) <= 1)
            #expect(abs(Int(Self.samples(frame, 1)[y / 2][x / 2]) - (60 + 30 * expected)) <= 1)
            #expect(abs(Int(Self.samples(frame, 2)[y / 2][x / 2]) - (220 - 30 * expected)) <= 1)
        }
        await rig.camera.stop()
    }

    @Test("MJPEG of an odd size is decoded to its edges", arguments: TestJPEG.Sampling.allCases)
    func oddSize(sampling: TestJPEG.Sampling) async throws {
        let size = PixelSize(35, 21)
        let rig = try Self.rig("MJPG", size)
        try rig.start()
        let frame = try Self.decode(rig, TestJPEG.flat(size, sampling))
        #expect(Self.samples(frame, 0) == Array(repeating: Array(repeating: 90, count: 35), count: 21))
        let blue: UInt8 = sampling == .gray ? 128 : 100
        #expect(Self.samples(frame, 1) == Array(repeating: Array(repeating: blue, count: 18), count: 11))
        await rig.camera.stop()
    }

    /// Functions that damage a JPEG picture, keyed by a description of the damage.
    private static let damaged: [String: @Sendable ([UInt8]) -> [UInt8]] = [
        "cut in the header": { Array($0.prefix($0.count / 2)) },
        "cut in the picture": { Array($0.prefix($0.count - 20)) },
        "without an end": { Array($0.prefix($0.count - 2)) },
        "overwritten": { jpeg in jpeg.indices.map { $0 < 300 ? jpeg[$0] : UInt8(truncatingIfNeeded: $0 &* 31) | 1 } },
        "overwritten in the picture": { jpeg in jpeg.indices.map { $0 < jpeg.count - 30 ? jpeg[$0] : 0xff } },
        "zeros": { $0.map { _ in 0 } },
        "of another size": { _ in TestJPEG.flat(PixelSize(128, 96)) },
    ]

    @Test("a frame that is not a whole picture is dropped, and the next one is shown", arguments: damaged.keys.sorted())
    func corrupted(how: String) async throws {
        let rig = try Self.rig()
        try rig.start()
        let good = TestJPEG.flat(Self.size)
        let damage = try #require(Self.damaged[how])
        await Self.refuse(rig, damage(good))
        #expect(Self.samples(try Self.decode(rig, good), 0)[0][0] == 90)
        await Self.refuse(rig, damage(good))
        #expect(rig.events.all == [.started, .badFrames(.corrupted)])
        await rig.camera.stop()
    }

    @Test("random damage never shows and never crashes", arguments: 0..<20)
    func fuzz(seed: UInt64) throws {
        var random = Dice(Int(seed))
        let decoder = try JPEGDecoder()
        let layout = DecodedLayout.layout(for: Self.size)
        let frame = FrameBuffer(layout)
        let good = TestJPEG.flat(Self.size, TestJPEG.Sampling.allCases.randomElement(using: &random) ?? .s420)
        for _ in 0..<200 {
            var damaged = good
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                damaged[Int.random(in: 0..<good.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = unsafe damaged.withUnsafeBytes { unsafe decoder.decodeFrame($0, into: frame, layout) }
            let isGood = unsafe good.withUnsafeBytes { unsafe decoder.decodeFrame($0, into: frame, layout) }
            #expect(isGood)
        }
    }

    @Test("stray bytes before the end marker and padding after it do no harm")
    func strayBytes() async throws {
        let rig = try Self.rig()
        try rig.start()
        var stray = TestJPEG.flat(Self.size)
        stray.insert(contentsOf: [0x12, 0x34], at: stray.count - 2)
        #expect(Self.samples(try Self.decode(rig, stray + [0, 0, 0]), 0)[47][63] == 90)
        await rig.camera.stop()
    }

    @Test(
        "row 21: a picture without Huffman tables, as old webcams send it, has the same pixels as with the standard's",
        arguments: TestJPEG.Sampling.allCases)
    func noTables(sampling: TestJPEG.Sampling) async throws {
        let rig = try Self.rig()
        try rig.start()
        let whole = TestJPEG.encode(
            Self.size, sampling, luma: { UInt8(truncatingIfNeeded: 16 + $0 * 3 + $1 * $1) },
            chroma: { (UInt8(truncatingIfNeeded: 40 + $0 * 2), UInt8(truncatingIfNeeded: 200 - $1 * 3)) })
        let bare = TestJPEG.withoutHuffmanTables(whole)
        // A colour picture has two Huffman tables for luma and two for chroma.
        #expect(whole.count - bare.count >= (sampling == .gray ? 209 : 418))
        let expected = try Self.decode(rig, whole)
        let decoded = try Self.decode(rig, bare)
        for plane in 0..<3 { #expect(Self.samples(decoded, plane) == Self.samples(expected, plane)) }
        #expect(Set(Self.samples(decoded, 0).joined()).count > 50)
        #expect(rig.camera.statistics.dropped.total == 0)
        await rig.camera.stop()
        FaultReport.record(row: 21, figures: "every sampling: the same pixels")
    }

    @Test("a compressed frame of a few bytes is too short")
    func tiny() async throws {
        let rig = try Self.rig()
        try rig.start()
        rig.produce(.compressed([0xff, 0xd8, 0xff, 0xd9]))
        #expect(rig.camera.statistics.dropped[.short] == 1)
        await rig.camera.stop()
    }

    @Test("Bayer is converted by the library")
    func bayer() async throws {
        let rig = try Self.rig("BA81")
        #expect(rig.camera.format.layout == FrameLayout(.i420, Self.size))
        #expect(rig.camera.format.colorimetry.range == .limited && rig.camera.format.colorimetry.matrix == .bt601)
        try rig.start()
        rig.produce(FakeFrame(.fill(255)))
        try #require(rig.signals.wait(for: 1))
        let frame = try rig.take()
        // The samples of all colour filters are saturated, so the picture is white.
        #expect(Self.samples(frame, 0).joined().allSatisfy { (233...237).contains($0) })
        #expect(Self.samples(frame, 1).joined().allSatisfy { (126...130).contains($0) })
        await rig.camera.stop()
    }

    @Test("frames that are being decoded when the camera is disabled count as disabled, never as shown")
    func disableWhileDecoding() async throws {
        let rig = try Self.rig()
        try rig.start()
        for round in 1...20 {
            rig.produce(.compressed(TestJPEG.flat(Self.size)))
            try await rig.camera.disable()
            try await rig.camera.enable()
            #expect(rig.camera.statistics.lastSequence == UInt64(round - 1))
        }
        await rig.camera.stop()
        #expect(rig.camera.statistics.dropped[.disabled] == 20)
        #expect(rig.camera.frames.take() == nil)
    }

    @Test("every frame is accounted for with a decoder")
    func books() async throws {
        let rig = try Self.rig()
        try rig.start()
        let good = TestJPEG.flat(Self.size)
        var taken = 0
        for step in 0..<100 {
            rig.produce(.compressed(step % 9 == 4 ? Array(good.prefix(200)) : good))
            if step % 4 == 0, rig.camera.frames.take() != nil { taken += 1 }
        }
        await rig.camera.stop()
        let statistics = rig.camera.statistics
        #expect(taken + statistics.dropped.total == 100)
        #expect(statistics.lastSequence == 99)
        #expect(rig.kernel.mappingCount == 0)
    }

    /// 16-bit samples as little-endian bytes.
    private static func deep(_ values: [UInt16]) -> [UInt8] { values.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } }

    @Test("F03: P010 becomes NV12 by the upper eight of its ten bits")
    func deepColour() async throws {
        let rig = try Self.rig("P010")
        #expect(rig.camera.format.layout.format == .nv12)
        try rig.start()
        // The upper ten bits hold the samples: black, white and a ramp for luma, and blue and red for chroma.
        let edges: [UInt16] = [64, 940]
        let ramp: [UInt16] = (0..<64).map { (x: UInt16) -> UInt16 in x * 16 + 3 }
        var luma: [UInt16] = (0..<64).map { edges[$0 % 2] << 6 }
        for _ in 1..<48 { luma += ramp.map { $0 << 6 } }
        let chroma: [UInt16] = (0..<24 * 64).map { ($0 % 2 == 0 ? 600 : 401) << 6 }
        let frame = try Self.decode(rig, Self.deep(luma + chroma))
        #expect(Self.samples(frame, 0)[0].prefix(4) == [16, 235, 16, 235])
        #expect(Self.samples(frame, 0)[47] == ramp.map { UInt8($0 / 4) })
        let pairs: [UInt8] = (0..<64).map { $0 % 2 == 0 ? 150 : 100 }
        #expect(Self.samples(frame, 1) == Array(repeating: pairs, count: 24))
        await rig.camera.stop()
    }

    @Test("F03: deep greys become grey", arguments: [("Y10", 10), ("Y12", 12), ("Y14", 14), ("Y16", 16)])
    func deepGrey(format: String, bits: Int) async throws {
        let size = PixelSize(35, 21)
        let rig = try Self.rig(format, size)
        #expect(rig.camera.format.layout.format == .gray)
        try rig.start()
        let values: [UInt16] = (0..<size.area).map { pixel in UInt16((pixel % 256) << (bits - 8)) | 1 }
        let frame = try Self.decode(rig, Self.deep(values))
        let expected: [UInt8] = (0..<size.area).map { UInt8($0 % 256) }
        #expect(Self.samples(frame, 0).flatMap(\.self) == expected)
        // Half a frame is refused.
        let before = rig.camera.statistics.dropped[.short]
        rig.produce(.compressed(Self.deep(Array(values.prefix(size.area / 2)))))
        #expect(rig.camera.statistics.dropped[.short] == before + 1)
        await rig.camera.stop()
    }
}
