import Foundation
import PipCodecs
import PipCompose
import PipTestSupport
import Testing

@Suite("A lookup table in a picture")
struct LookupTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes a PNG whose byte at each row and column comes from `byte`.
    private func write(_ name: String, _ size: PixelSize, _ byte: (Int, Int) -> UInt8) throws -> String {
        let layout = FrameLayout(.rgba, size)
        let buffer = FrameBuffer(layout)
        let bytes = unsafe buffer.mutableBytes(ofPlane: 0)
        for row in 0..<size.height {
            for column in 0..<4 * size.width { unsafe bytes[row * 4 * size.width + column] = byte(row, column) }
        }
        let output = ByteBuffer()
        let frame = Frame(info: FrameInfo(layout: layout, colorimetry: .srgb), buffer: buffer)
        try PNGEncoder().encode(frame, into: output, subject: name)
        let path = folder.path(name)
        try output.withBytes { span in unsafe span.withUnsafeBytes { unsafe Data($0) } }.write(to: URL(filePath: path))
        return path
    }

    private static let context = EffectContext(matrix: .bt709, scale: 1, size: .hd720)

    @Test("a lookup table has the file's contents, and other contents when the file changes")
    func reads() throws {
        #expect(Lookup().operation(in: Self.context) == .none)
        let path = try write("look.png", PixelSize(512, 512)) { UInt8(truncatingIfNeeded: $0 &+ $1) }
        let first = try Lookup(path: path, intensity: 0.5)
        #expect(first.label == "lookup=file=\(path):intensity=0.5")
        #expect(first.operation(in: Self.context) != .none)
        #expect(
            first.operation(in: Self.context) == (try Lookup(path: path, intensity: 0.5)).operation(in: Self.context))
        _ = try write("look.png", PixelSize(512, 512)) { UInt8(truncatingIfNeeded: $0 &- $1) }
        #expect(
            first.operation(in: Self.context) != (try Lookup(path: path, intensity: 0.5)).operation(in: Self.context))
    }

    @Test("a lookup table that is not 512x512 pixels is refused with its size")
    func wrongSize() throws {
        let path = try write("small.png", PixelSize(64, 64)) { _, _ in 255 }
        let error = #expect(throws: EffectError.self) { try Lookup(path: path) }
        #expect(error?.description.contains("512x512 pixels, not 64x64") == true)
    }

    @Test("row 43: a file that is not a picture is refused")
    func noPicture() throws {
        let path = folder.path("text.png")
        try Data("no picture".utf8).write(to: URL(filePath: path))
        let error = #expect(throws: EffectError.self) { try Lookup(path: path) }
        #expect(error?.description.contains("PNG") == true)
    }
}
