import Foundation
import PipCodecs
import PipFrames
import PipTestSupport
import Testing

@testable import PipSources

@Suite struct StillReaderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func encoded(_ layout: FrameLayout, _ value: UInt8, asPNG: Bool) throws -> [UInt8] {
        let buffer = FrameBuffer(layout)
        for plane in layout.planes.indices {
            unsafe buffer.mutableBytes(ofPlane: plane).baseAddress?.advanced(by: layout.planes[plane].offset)
                .initializeMemory(as: UInt8.self, repeating: value, count: layout.planes[plane].byteCount)
        }
        let frame = Frame(info: FrameInfo(layout: layout, colorimetry: .jpeg), buffer: buffer)
        let output = ByteBuffer()
        if asPNG {
            try PNGEncoder().encode(frame, into: output, subject: "x")
        } else {
            try JPEGEncoder(quality: 100).encode(frame, into: output, subject: "x")
        }
        return output.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
    }

    @Test("a PNG picture is RGBA, whatever its name")
    func png() throws {
        let bytes = try encoded(FrameLayout(.rgb24, PixelSize(3, 2)), 77, asPNG: true)
        let reader = try StillReader(path: try folder.file("a.jpg", bytes))
        #expect(reader.description.isStill)
        #expect(reader.description.length == .endless)
        #expect(reader.description.layout == FrameLayout(.rgba, PixelSize(3, 2)))
        #expect(reader.description.colorimetry == .srgb)
        #expect(try next(reader) == Array(repeating: [77, 77, 77, 255], count: 6).flatMap { $0 })
    }

    @Test("a JPEG picture of 4:2:0 is I420, full range")
    func jpeg() throws {
        let bytes = try encoded(FrameLayout(.i420, PixelSize(5, 3)), 90, asPNG: false)
        let reader = try StillReader(path: try folder.file("a.jpg", bytes))
        #expect(reader.description.layout.format == .i420)
        #expect(reader.description.colorimetry == .jpeg)
        #expect(try next(reader)?.allSatisfy { abs(Int($0) - 90) <= 1 } == true)
    }

    @Test("a WebP picture is RGBA and turned as it says; of an animation it is the first picture")
    func webP() throws {
        let still = try StillReader(path: try folder.file("a", TestWebP.still))
        #expect(still.description.layout == FrameLayout(.rgba, PixelSize(2, 1)))
        #expect(still.description.orientation == Orientation(quarterTurns: 1))
        #expect(try next(still) == [100, 50, 25, 128, 0, 0, 0, 0])
        let animation = try StillReader(path: try folder.file("b", TestWebP.animation))
        #expect(animation.description.isStill)
        #expect(try next(animation) == Array(repeating: [100, 50, 25, 128], count: 8).flatMap { $0 })
    }

    @Test("a picture that is cut off is an error of reading", arguments: [true, false])
    func cutOff(isPNG: Bool) throws {
        let bytes = try encoded(FrameLayout(isPNG ? .rgb24 : .i420, PixelSize(64, 64)), 90, asPNG: isPNG)
        let reader = try StillReader(path: try folder.file("a", Array(bytes.dropLast(40))))
        let error = #expect(throws: SourceError.self) { try next(reader) }
        #expect(error?.kind == .damaged)
    }

    @Test("other files, empty files, pipes and devices are refused")
    func refused() throws {
        let text = try folder.file("a.png", Array("hello, world".utf8))
        let error = #expect(throws: SourceError.self) { try StillReader(path: text) }
        #expect(error?.reason == "neither a PNG, a JPEG nor a WebP picture: it begins with 68 65 6c 6c 6f 2c 20 77")
        let empty = try folder.file("b.png", [])
        #expect(throws: SourceError(empty, "read", .damaged, "it is empty")) { try StillReader(path: empty) }
        #expect(throws: SourceError.self) { try StillReader(path: "/dev/zero") }
        #expect(throws: SourceError.self) { try StillReader(path: try folder.pipe("pipe")) }
    }
}
