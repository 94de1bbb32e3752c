import CV4L2
import Foundation
import PipFrames
import PipTestSupport
import Testing

@testable import PipCapture

@Suite("Interlaced pictures")
struct DeinterlacingTests {
    private static let size = PixelSize(32, 24)

    /// The arrangement of two fields in a buffer, and their order in time.
    struct Arrangement: Sendable, CustomTestStringConvertible {
        let field: v4l2_field
        var standard: v4l2_std_id?
        let isTopFirst: Bool
        let isSequential: Bool

        var testDescription: String { "\(field.rawValue) of \(standard ?? 0)" }
    }

    private static let arrangements = [
        Arrangement(field: V4L2_FIELD_INTERLACED, isTopFirst: true, isSequential: false),
        Arrangement(field: V4L2_FIELD_INTERLACED, standard: 0xff, isTopFirst: true, isSequential: false),
        Arrangement(
            field: V4L2_FIELD_INTERLACED, standard: PIP_V4L2_STD_525_60, isTopFirst: false, isSequential: false),
        Arrangement(field: V4L2_FIELD_INTERLACED_TB, isTopFirst: true, isSequential: false),
        Arrangement(field: V4L2_FIELD_INTERLACED_BT, isTopFirst: false, isSequential: false),
        Arrangement(field: V4L2_FIELD_SEQ_TB, isTopFirst: true, isSequential: true),
        Arrangement(field: V4L2_FIELD_SEQ_BT, isTopFirst: false, isSequential: true),
    ]

    private static func rig(
        _ format: String, _ field: v4l2_field, standard: v4l2_std_id? = nil, stride: Int = 1
    ) throws -> Rig {
        var camera = FakeCamera(formats: [.init(format, size.width, size.height)])
        camera.field = field
        camera.standard = standard
        camera.strideStep = stride
        return try Rig(camera, wish: CameraWish(size: size))
    }

    /// A buffer of YUYV whose rows have one value each.
    private static func buffer(_ arrangement: Arrangement, stride: Int, _ value: (Int) -> UInt8) -> [UInt8] {
        var rows = Array(0..<size.height)
        if arrangement.isSequential {
            let (even, odd) = (rows.filter { $0 % 2 == 0 }, rows.filter { $0 % 2 == 1 })
            rows = arrangement.isTopFirst ? even + odd : odd + even
        }
        return rows.flatMap { [UInt8](repeating: value($0), count: stride) }
    }

    private static func decode(_ rig: Rig, _ bytes: [UInt8], sequence: UInt32? = nil) throws -> [[UInt8]] {
        let before = rig.signals.value
        var frame = FakeFrame.compressed(bytes)
        frame.sequence = sequence
        rig.produce(frame)
        try #require(rig.signals.wait(for: before + 1))
        let decoded = try rig.take()
        return decoded.layout.planes.indices.flatMap { rows(decoded, $0) }
    }

    /// A plane's rows, without padding.
    private static func rows(_ frame: Frame, _ plane: Int) -> [[UInt8]] {
        frame.withPlane(plane) { bytes, layout in
            (0..<layout.dimensions.height).map { y in
                (0..<layout.rowBytes).map { x in
                    unsafe bytes.unsafeLoad(fromByteOffset: y * layout.strideInBytes + x, as: UInt8.self)
                }
            }
        }
    }

    @Test("F03: a still picture stays unchanged, row for row, in every arrangement of fields", arguments: arrangements)
    func still(_ arrangement: Arrangement) async throws {
        let rig = try Self.rig("YUYV", arrangement.field, standard: arrangement.standard, stride: 128)
        #expect(rig.camera.format.layout == FrameLayout(.yuyv, Self.size))
        try rig.start()
        func value(_ row: Int) -> UInt8 { UInt8(row * 7 + row % 2 * 40) }
        let picture = Self.buffer(arrangement, stride: 128, value)
        _ = try Self.decode(rig, picture)
        let rows = try Self.decode(rig, picture)
        let expected = (0..<24).map { [UInt8](repeating: value($0), count: 64) }
        #expect(rows == expected)
        await rig.camera.stop()
    }

    @Test("the field captured first stays, and the other field's rows do not show through", arguments: arrangements)
    func moving(_ arrangement: Arrangement) async throws {
        let rig = try Self.rig("YUYV", arrangement.field, standard: arrangement.standard, stride: 128)
        try rig.start()
        let first = arrangement.isTopFirst ? 0 : 1
        /// A frame with one value in the field that was captured first, and another value in the other field.
        func frame(_ values: (UInt8, UInt8)) -> [UInt8] {
            Self.buffer(arrangement, stride: 128) { $0 % 2 == first ? values.0 : values.1 }
        }
        // A field without neighbours in time is interpolated from its own rows.
        var rows = try Self.decode(rig, frame((40, 200)))
        #expect(rows.joined().allSatisfy { $0 == 40 })
        _ = try Self.decode(rig, frame((200, 200)))
        // A field after a dropped frame has no neighbours in time, and is interpolated from its own rows.
        rows = try Self.decode(rig, frame((40, 200)), sequence: 100)
        #expect(rows.joined().allSatisfy { $0 == 40 })
        rows = try Self.decode(rig, frame((90, 90)), sequence: 101)
        for row in 0..<24 where row % 2 == first { #expect(rows[row] == [UInt8](repeating: 90, count: 64)) }
        // The first frame of a restarted stream has no neighbours in time either.
        try await rig.camera.disable()
        try await rig.camera.enable()
        rows = try Self.decode(rig, frame((40, 200)))
        #expect(rows.joined().allSatisfy { $0 == 40 })
        await rig.camera.stop()
    }

    @Test("chroma planes have fields, too", arguments: ["NV12", "YU12", "NV16", "GREY", "BGR3"])
    func planes(_ format: String) async throws {
        let native = try #require(PixelFormat.allCases.first { $0.fourCC == FourCC(format) })
        let rig = try Self.rig(format, V4L2_FIELD_INTERLACED)
        #expect(rig.camera.format.layout.format == native)
        try rig.start()
        let bytes = (0..<FrameLayout(native, Self.size).payloadByteCount).map { UInt8($0 % 251) }
        _ = try Self.decode(rig, bytes)
        let decoded: [UInt8] = Array(try Self.decode(rig, bytes).joined())
        #expect(decoded == bytes)
        await rig.camera.stop()
    }

    @Test("a driver with alternating fields is asked for interlaced frames")
    func alternating() async throws {
        var camera = FakeCamera(formats: [.init("YUYV", 32, 24)])
        camera.field = V4L2_FIELD_ALTERNATE
        camera.weavesFields = V4L2_FIELD_INTERLACED_TB
        let rig = try Rig(camera, wish: CameraWish(size: Self.size))
        try rig.start()
        let arrangement = Self.arrangements[3]
        let rows = try Self.decode(rig, Self.buffer(arrangement, stride: 64) { $0 % 2 == 0 ? 10 : 90 })
        #expect(rows.joined().allSatisfy { $0 == 10 })
        await rig.camera.stop()
    }

    @Test("pictures of one or two rows, and short buffers, do no harm", arguments: [1, 2, 3, 4])
    func low(_ height: Int) throws {
        let layout = FrameLayout(.gray, PixelSize(5, height))
        let deinterlacer = Deinterlacer(layout, try #require(Interlacing(4, has525Lines: false)))
        for _ in 0..<3 {
            let bytes = [UInt8](repeating: 9, count: 5 * height)
            #expect(try Self.deinterlace(bytes, layout, deinterlacer) == bytes)
            #expect(try Self.deinterlace(bytes.dropLast(), layout, deinterlacer) == nil)
        }
    }

    /// The deinterlaced rows of a buffer of one plane; nil if the deinterlacer refuses the buffer.
    private static func deinterlace(
        _ bytes: [UInt8], _ layout: FrameLayout, _ deinterlacer: Deinterlacer
    ) throws -> [UInt8]? {
        var pool = FramePool(layout, limit: 1)
        let next = pool.next()
        let buffer = try #require(next)
        let isTaken = unsafe bytes.withUnsafeBytes { unsafe deinterlacer.decode($0, into: buffer, layout) }
        return unsafe isTaken ? Array(buffer.bytes(ofPlane: 0).prefix(layout.payloadByteCount)) : nil
    }

    private static var hasFFmpeg: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg") }

    /// The frames of a moving grey test picture from ffmpeg, passed through `filters`.
    private static func movie(_ filters: String, _ size: PixelSize, in folder: TemporaryFolder) throws -> [UInt8] {
        try runToEnd(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=50:duration=0.6"]
                + ["-vf", "format=gray" + filters, "-f", "rawvideo", "-y", folder.path("movie")])
        return try folder.read("movie")
    }

    /// The peak signal-to-noise ratio (PSNR) of pictures against the expected ones, in dB.
    private static func quality(_ pictures: ArraySlice<UInt8>, _ truth: ArraySlice<UInt8>) -> Double {
        let sum = zip(pictures, truth).reduce(into: 0) { sum, pair in
            let error = Int(pair.0) - Int(pair.1)
            sum += error * error
        }
        return 10 * log10(255 * 255 * Double(pictures.count) / Double(max(1, sum)))
    }

    @Test("deinterlaced pictures are as close to the originals as bwdif's", .enabled(if: hasFFmpeg, "needs ffmpeg"))
    func quality() throws {
        let size = PixelSize(180, 144)
        let area = size.area
        let folder = try TemporaryFolder()
        let filmed = try Self.movie("", size, in: folder)
        let interlaced = try Self.movie(",tinterlace=interleave_top,setfield=tff", size, in: folder)
        let reference = try Self.movie(",tinterlace=interleave_top,setfield=tff,bwdif=0:0:0", size, in: folder)
        let layout = FrameLayout(.gray, size)
        let deinterlacer = Deinterlacer(layout, try #require(Interlacing(4, has525Lines: false)))
        var (ours, theirs, truth): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
        for frame in 0..<interlaced.count / area {
            let start = frame * area
            let bytes = Array(interlaced[start..<start + area])
            let picture = try #require(try Self.deinterlace(bytes, layout, deinterlacer))
            // The first and the last frame lack a neighbour in time, and do not count.
            guard frame > 0, start + area < reference.count else { continue }
            ours += picture
            theirs += reference[start..<start + area]
            truth += filmed[2 * start..<2 * start + area]
        }
        try #require(ours.count >= 10 * area)
        let (own, bwdif) = (Self.quality(ours[...], truth[...]), Self.quality(theirs[...], truth[...]))
        #expect(own > bwdif - 0.1, "\(own) dB, and bwdif \(bwdif) dB")
        #expect(own > 25, "\(own) dB")
    }
}
