import PipFrames
import Testing

@testable import PipGL

@Suite("A texture")
struct TextureTests {
    /// The paddings make strides that are multiples of the texel size, that only an alignment expresses, and that GL
    /// cannot express.
    @Test(
        "a texture is read back as it was uploaded, whatever the stride",
        arguments: TextureFormat.allCases, [0, 1, 2, 3, 5, 7, 8, 13, 16, 64])
    func roundTrip(format: TextureFormat, padding: Int) async throws {
        let size = PixelSize(13, 5)
        let row = size.width * format.bytesPerTexel
        let stride = row + padding
        // Some bits of each byte are cleared, so that half and single floats are finite.
        let pixels = noise(stride * size.height).map { format.isFloat ? $0 & 0x3B : $0 }
        try await RenderContext.with { gpu in
            guard format.isRenderable(with: try #require(gpu.capabilities)) else { return }
            let back = try await gpu.perform { gpu in
                let texture = try Texture(size: size, format: format, on: gpu)
                unsafe pixels.withUnsafeBytes { bytes in
                    guard let start = bytes.baseAddress else { return }
                    unsafe texture.upload(from: start, strideInBytes: stride, region: size.bounds, on: gpu)
                }
                return try RenderTarget([texture], on: gpu).bytes(on: gpu)
            }
            let expected = (0..<size.height).flatMap { pixels[$0 * stride..<$0 * stride + row] }
            #expect(back == expected)
        }
    }

    @Test("a part of a texture can be uploaded")
    func partialUpload() async throws {
        try await RenderContext.with { gpu in
            let back = try await gpu.perform { gpu in
                let texture = try Texture(
                    size: PixelSize(4, 3), format: .r8, [UInt8](repeating: 9, count: 12), on: gpu)
                let region = PixelRect(x: 1, y: 1, width: 2, height: 2)
                unsafe [UInt8]([1, 2, 0, 3, 4]).withUnsafeBytes { bytes in
                    guard let start = bytes.baseAddress else { return }
                    unsafe texture.upload(from: start, strideInBytes: 3, region: region, on: gpu)
                }
                return try RenderTarget([texture], on: gpu).bytes(on: gpu)
            }
            #expect(back == [9, 9, 9, 9, 9, 1, 2, 9, 9, 3, 4, 9])
        }
    }

    @Test(
        "a texture of an impossible size is an error",
        arguments: [PixelSize(0, 4), PixelSize(4, -1), PixelSize(1 << 20, 1)])
    func impossibleSize(size: PixelSize) async throws {
        try await RenderContext.with { gpu in
            let error = await #expect(throws: GLError.self) {
                try await gpu.perform { gpu in _ = try Texture(size: size, format: .rgba8, on: gpu) }
            }
            #expect(error?.description.hasPrefix("cannot make a texture of \(size) in rgba8: glTexStorage2D: ") == true)
            #expect(gpu.objectCounts.total == 0)
        }
    }
}
