import PipFrames
import Testing

@testable import PipGL

@Suite("A texture pool")
struct TexturePoolTests {
    private static let small = PixelSize(16, 16)

    @Test("hands a texture out again after its holder has released it, and never before")
    func reuse() async throws {
        try await RenderContext.with { gpu in
            try await gpu.perform { gpu in
                let pool = TexturePool()
                var first: Texture? = try pool.take(size: Self.small, format: .rgba8, on: gpu)
                let second = try pool.take(size: Self.small, format: .rgba8, on: gpu)
                #expect(first !== second)
                #expect(pool.counters == .init(live: 2, idle: 0, bytes: 2048, created: 2))
                let name = first?.name
                first = nil
                #expect(pool.counters == .init(live: 1, idle: 1, bytes: 2048, created: 2))
                first = try pool.take(size: Self.small, format: .rgba8, on: gpu)
                #expect(first?.name == name)
                #expect(pool.counters.created == 2)
                withExtendedLifetime(second) {}
            }
        }
    }

    @Test("tells sizes and formats apart")
    func keys() async throws {
        try await RenderContext.with { gpu in
            try await gpu.perform { gpu in
                let pool = TexturePool()
                _ = try pool.take(size: PixelSize(8, 4), format: .r8, on: gpu)
                let turned = try pool.take(size: PixelSize(4, 8), format: .r8, on: gpu)
                let wide = try pool.take(size: PixelSize(8, 4), format: .rg8, on: gpu)
                #expect(turned.size == PixelSize(4, 8))
                #expect(wide.format == .rg8)
                #expect(pool.counters.created == 3)
            }
        }
    }

    @Test("keeps to its budget by deleting the least recently used textures")
    func budget() async throws {
        try await RenderContext.with { gpu in
            try await gpu.perform { gpu in
                // The pool has room for three textures of 256 bytes.
                let pool = TexturePool(byteBudget: 3 * 256)
                let formats = [TextureFormat.r8, .rg8, .rgba8, .r32f]
                let sizes = [PixelSize(16, 16), PixelSize(16, 8), PixelSize(8, 8), PixelSize(8, 8)]
                for index in 0..<3 { _ = try pool.take(size: sizes[index], format: formats[index], on: gpu) }
                // The first texture is used again, so the second is the least recently used.
                _ = try pool.take(size: sizes[0], format: formats[0], on: gpu)
                _ = try pool.take(size: sizes[3], format: formats[3], on: gpu)
                #expect(pool.counters == .init(live: 0, idle: 3, bytes: 768, created: 4))
                _ = try pool.take(size: sizes[0], format: formats[0], on: gpu)
                #expect(pool.counters.created == 4)
                _ = try pool.take(size: sizes[1], format: formats[1], on: gpu)
                #expect(pool.counters.created == 5)
            }
        }
    }

    @Test("exceeds its budget only by textures that are held at the same time")
    func overBudget() async throws {
        try await RenderContext.with { gpu in
            try await gpu.perform { gpu in
                let pool = TexturePool(byteBudget: 300)
                var held: [Texture] = []
                for _ in 0..<3 { held.append(try pool.take(size: Self.small, format: .r8, on: gpu)) }
                #expect(pool.counters == .init(live: 3, idle: 0, bytes: 768, created: 3))
                held = []
                _ = try pool.take(size: PixelSize(16, 8), format: .r8, on: gpu)
                #expect(pool.counters == .init(live: 0, idle: 1, bytes: 128, created: 4))
            }
        }
    }

    @Test("deletes textures on the render thread, and keeps textures that are held")
    func trim() async throws {
        try await RenderContext.with { gpu in
            try await gpu.perform { gpu in
                let pool = TexturePool()
                let held = try pool.take(size: Self.small, format: .r8, on: gpu)
                _ = try pool.take(size: Self.small, format: .rg8, on: gpu)
                #expect(gpu.objectCounts.textures == 2)
                pool.trim()
                gpu.deletePending()
                #expect(gpu.objectCounts.textures == 1)
                #expect(pool.counters.live == 1)
                withExtendedLifetime(held) {}
            }
        }
    }
}
