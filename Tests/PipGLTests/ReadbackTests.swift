import PipFrames
import Testing

@testable import PipGL

@Suite("A read-back")
struct ReadbackTests {
    @Test("fills memory that another thread reads after its fence")
    func persistentMapping() async throws {
        let size = PixelSize(64, 8)
        let pixels = noise(size.area * 4)
        try await RenderContext.with { gpu in
            guard gpu.capabilities?.hasPersistentMapping == true else { return }
            let buffer = try await gpu.perform { gpu in
                let target = try RenderTarget([Texture(size: size, format: .rgba8, pixels, on: gpu)], on: gpu)
                let buffer = try ReadbackBuffer(byteCount: pixels.count, on: gpu)
                try buffer.read(from: target, region: size.bounds, format: .rgba8, strideInBytes: 256, on: gpu)
                let fence = try Fence(on: gpu)
                let isPassed = fence.wait(timeout: .seconds(10), on: gpu)
                let isSignaled = fence.isSignaled(on: gpu)
                #expect(isPassed && isSignaled)
                return buffer
            }
            let bytes = try #require(unsafe buffer.mappedBytes.map { unsafe [UInt8]($0) })
            #expect(bytes == pixels)
        }
    }

    @Test(
        "writes a rectangle at the requested offset and stride, and leaves the padding unchanged",
        arguments: [12, 14, 16, 20])
    func placement(stride: Int) async throws {
        let pixels = noise(6 * 5)
        let bytes = try await RenderContext.with { gpu in
            try await gpu.perform { gpu in
                let target = try RenderTarget([Texture(size: PixelSize(6, 5), format: .r8, pixels, on: gpu)], on: gpu)
                let buffer = try ReadbackBuffer(byteCount: 7 + 4 * stride, on: gpu)
                let row = PixelSize(buffer.byteCount, 1)
                let zeros = [UInt8](repeating: 0, count: row.width)
                let blank = try RenderTarget([Texture(size: row, format: .r8, zeros, on: gpu)], on: gpu)
                try buffer.read(from: blank, region: row.bounds, format: .r8, strideInBytes: row.width, on: gpu)
                let canRead = target.canRead(attachment: 0, as: .r8, on: gpu)
                try #require(canRead)
                let region = PixelRect(x: 2, y: 1, width: 3, height: 4)
                try buffer.read(from: target, region: region, format: .r8, into: 7, strideInBytes: stride, on: gpu)
                gpu.finish()
                return unsafe try buffer.withMapped(on: gpu) { bytes throws(GLError) in unsafe [UInt8](bytes) }
            }
        }
        for y in 0..<4 {
            for x in 0..<3 { #expect(bytes[7 + y * stride + x] == pixels[(y + 1) * 6 + x + 2]) }
            for x in 3..<stride { #expect(bytes[7 + y * stride + x] == 0) }
        }
    }

    @Test("reads any of the target's textures")
    func attachments() async throws {
        let first = noise(12, seed: 1)
        let second = noise(12, seed: 2)
        let read = try await RenderContext.with { gpu in
            try await gpu.perform { gpu in
                let size = PixelSize(3, 1)
                let target = try RenderTarget(
                    [
                        Texture(size: size, format: .rgba8, first, on: gpu),
                        Texture(size: size, format: .rgba8, second, on: gpu),
                    ], on: gpu)
                return try [0, 1, 0].map { try target.bytes(attachment: $0, on: gpu) }
            }
        }
        #expect(read == [first, second, first])
    }

    @Test("a read-back that does not fit is an error, and the context continues")
    func doesNotFit() async throws {
        try await RenderContext.with { gpu in
            try await gpu.perform { gpu in
                let size = PixelSize(4, 4)
                let target = try RenderTarget([Texture(size: size, format: .rgba8, on: gpu)], on: gpu)
                let buffer = try ReadbackBuffer(byteCount: 64, on: gpu)
                let cases: [(PixelRect, Int, Int)] = [
                    (PixelRect(x: 1, y: 0, width: 4, height: 4), 0, 16), (size.bounds, 4, 16), (size.bounds, 0, 12),
                    (PixelRect(x: 0, y: 0, width: 1, height: 2), 0, 7),
                ]
                for (region, offset, stride) in cases {
                    #expect(throws: GLError.self) {
                        try buffer.read(
                            from: target, region: region, format: .rgba8, into: offset, strideInBytes: stride, on: gpu)
                    }
                }
                try buffer.read(from: target, region: size.bounds, format: .rgba8, strideInBytes: 16, on: gpu)
                #expect(gpu.takeError() == nil)
            }
        }
    }
}
