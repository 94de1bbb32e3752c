import PipFrames
import Testing

@Suite("A frame's layout")
struct FrameLayoutTests {
    /// The geometry of each plane, from the V4L2 documentation.
    ///
    /// The values are luma columns per plane column, luma rows per plane row, and bytes per plane column.
    static func planes(of format: PixelFormat) -> [(columns: Int, rows: Int, bytes: Int)] {
        switch format {
        case .nv12, .nv21: [(1, 1, 1), (2, 2, 2)]
        case .nv16: [(1, 1, 1), (2, 1, 2)]
        case .i420, .yv12: [(1, 1, 1), (2, 2, 1), (2, 2, 1)]
        case .yuyv, .uyvy, .yvyu, .vyuy: [(2, 1, 4)]
        case .gray: [(1, 1, 1)]
        case .rgb24, .bgr24: [(1, 1, 3)]
        case .rgba, .bgra, .argb, .abgr, .rgbx, .bgrx, .xrgb, .xbgr: [(1, 1, 4)]
        }
    }

    static let sizes = [PixelSize(1, 1), PixelSize(3, 5), PixelSize(127, 71), PixelSize(640, 480), PixelSize(2, 1)]

    @Test("a plane has a column and a row for every started block", arguments: PixelFormat.allCases, sizes)
    func dimensions(format: PixelFormat, size: PixelSize) throws {
        let layout = FrameLayout(format, size)
        let expected = Self.planes(of: format)
        try #require(layout.planes.count == expected.count)
        var end = 0
        for (plane, wanted) in zip(layout.planes, expected) {
            let columns = (size.width + wanted.columns - 1) / wanted.columns
            let rows = (size.height + wanted.rows - 1) / wanted.rows
            #expect(plane.dimensions == PixelSize(columns, rows))
            #expect(plane.rowBytes == columns * wanted.bytes)
            #expect(plane.strideInBytes == plane.rowBytes)
            #expect(plane.offset == end)
            #expect(plane.byteCount == columns * wanted.bytes * rows)
            end += plane.strideInBytes * rows
        }
        #expect(layout.byteCount == end)
        #expect(layout.payloadByteCount == end)
    }

    @Test("padded rows have the given stride, and planar chroma has half of it", arguments: PixelFormat.allCases, sizes)
    func padded(format: PixelFormat, size: PixelSize) {
        let stride = 4096
        let layout = FrameLayout(format, size, stride: stride)
        for (index, plane) in layout.planes.enumerated() {
            let isHalf = index > 0 && (format == .i420 || format == .yv12)
            #expect(plane.strideInBytes == (isHalf ? stride / 2 : stride))
            #expect(plane.byteCount == plane.strideInBytes * (plane.dimensions.height - 1) + plane.rowBytes)
        }
        #expect(layout.payloadByteCount == FrameLayout(format, size).byteCount)
    }

    @Test("a plane's stride is never below its row's bytes", arguments: PixelFormat.allCases)
    func tooSmallStride(format: PixelFormat) {
        let layout = FrameLayout(format, PixelSize(127, 71), stride: 1)
        #expect(layout.planes.allSatisfy { $0.strideInBytes == $0.rowBytes })
    }

    @Test("each pixel format has its own V4L2 code", arguments: PixelFormat.allCases)
    func codes(format: PixelFormat) {
        #expect(PixelFormat.allCases.filter { $0.fourCC == format.fourCC } == [format])
    }

    @Test("codes are written as V4L2 writes them")
    func codeText() {
        #expect(FourCC("NV12").rawValue == 0x3231_564e)
        #expect(FourCC("NV12").description == "NV12")
        #expect(FourCC("Y16").description == "Y16")
        #expect(FourCC("Y16").rawValue == 0x2036_3159)
        #expect(FourCC(rawValue: FourCC("Y16").rawValue | 1 << 31).description == "Y16-BE")
        #expect(FourCC(rawValue: 0x0041_01ff).description == "??A?")
        #expect(FourCC("toolong") == FourCC("tool"))
    }
}

@Suite("Frame memory")
struct FrameMemoryTests {
    private let layout = FrameLayout(.nv12, PixelSize(6, 4), stride: 8)

    @Test("a pool reuses a buffer only after its last reference is released")
    func reuse() {
        var pool = FramePool(layout, limit: 2)
        var first = pool.next()
        let identity = first.map { ObjectIdentifier($0) }
        var frame: Frame? = first.map { Frame(info: FrameInfo(layout: layout, colorimetry: .bt709), buffer: $0) }
        first = nil
        let second = pool.next()
        #expect(second.map { ObjectIdentifier($0) } != identity)
        let none = pool.next()
        #expect(none == nil)
        #expect(frame != nil)
        frame = nil
        let third = pool.next()
        #expect(third.map { ObjectIdentifier($0) } == identity)
        #expect(identity != nil && second != nil)
    }

    @Test("a plane's bytes begin at its offset and end with its last row")
    func planeBytes() {
        let buffer = FrameBuffer(layout)
        let bytes = unsafe buffer.mutableBytes(ofPlane: 0)
        for index in 0..<layout.byteCount { unsafe bytes[index] = UInt8(index) }
        let frame = Frame(info: FrameInfo(layout: layout, colorimetry: .bt709), buffer: buffer)
        frame.withPlane(1) { span, plane in
            #expect(span.byteCount == 8 + 6)
            #expect(unsafe span.unsafeLoad(as: UInt8.self) == 32)
            #expect(plane.dimensions == PixelSize(3, 2))
        }
    }

    @Test("drops are counted by reason and add up")
    func drops() {
        var counts = DropCounts()
        for (index, reason) in DropReason.allCases.enumerated() { counts[reason] = index + 1 }
        for (index, reason) in DropReason.allCases.enumerated() { #expect(counts[reason] == index + 1) }
        #expect(counts.total == 28)
        var other = counts
        #expect(other == counts && other.hashValue == counts.hashValue)
        other[.short] += 1
        #expect(other != counts)
    }
}
