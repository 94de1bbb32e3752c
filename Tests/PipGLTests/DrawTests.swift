import PipFrames
import Testing

@testable import PipGL

@Suite("A draw")
struct DrawTests {
    @Test("touches its regions and nothing else", arguments: [1, 3, 8, 9, 20])
    func regions(count: Int) async throws {
        let size = PixelSize(61, 7)
        let regions = (0..<count).map { PixelRect(x: $0 * 3, y: $0 % 5, width: 2, height: 1 + $0 % 2) }
        let bytes = try await RenderContext.with { gpu in
            try await gpu.perform { gpu in
                let target = try RenderTarget([Texture(size: size, format: .r8, on: gpu)], on: gpu)
                target.clear(to: .zero, on: gpu)
                let program = try Program.test(Program.solid, on: gpu)
                let paint = try #require(program.location("paint"))
                program.set(paint, SIMD4<Float>(1, 0, 0, 1), on: gpu)
                DrawState(program, into: target).draw(regions.span, on: gpu)
                return try target.bytes(on: gpu)
            }
        }
        var expected = [UInt8](repeating: 0, count: size.area)
        for region in regions {
            for y in region.y..<region.maxY {
                for x in region.x..<region.maxX { expected[y * size.width + x] = 255 }
            }
        }
        #expect(bytes == expected)
    }

    @Test("cuts off what lies outside the target")
    func outside() async throws {
        let bytes = try await RenderContext.with { gpu in
            try await gpu.perform { gpu in
                let target = try RenderTarget([Texture(size: PixelSize(3, 2), format: .r8, on: gpu)], on: gpu)
                target.clear(to: .zero, on: gpu)
                let program = try Program.test(Program.solid, on: gpu)
                program.set(try #require(program.location("paint")), SIMD4<Float>(1, 1, 1, 1), on: gpu)
                let regions = [
                    PixelRect(x: -5, y: 1, width: 6, height: 9), PixelRect(x: 3, y: 0, width: 2, height: 2),
                ]
                DrawState(program, into: target).draw(regions.span, on: gpu)
                return try target.bytes(on: gpu)
            }
        }
        #expect(bytes == [0, 0, 0, 255, 0, 0])
    }

    @Test("counts texels from the top left")
    func positions() async throws {
        let size = PixelSize(5, 3)
        let values = try await RenderContext.with { gpu in
            try await gpu.perform { gpu in
                let target = try RenderTarget([Texture(size: size, format: .rg32f, on: gpu)], on: gpu)
                let program = try Program.test(
                    "precision highp float; layout(location = 0) out vec2 place; void main() { place = gl_FragCoord.xy; }",
                    on: gpu)
                DrawState(program, into: target).draw(on: gpu)
                // Some drivers cannot read back textures with two float components.
                let wide = try RenderTarget([Texture(size: size, format: .rgba32f, on: gpu)], on: gpu)
                var copy = DrawState(try Program.test(Program.copy, on: gpu), into: wide)
                copy.textures[0] = target.textures[0]
                copy.draw(on: gpu)
                return try wide.floats(on: gpu)
            }
        }
        for y in 0..<size.height {
            for x in 0..<size.width {
                let index = 4 * (y * size.width + x)
                #expect(values[index] == Float(x) + 0.5)
                #expect(values[index + 1] == Float(y) + 0.5)
            }
        }
    }

    @Test("writes several textures at once")
    func severalTargets() async throws {
        let planes = try await RenderContext.with { gpu in
            try await gpu.perform { gpu in
                let size = PixelSize(3, 2)
                let textures = try [TextureFormat.r8, .rg8, .rgba8, .r8].map { format in
                    try Texture(size: size, format: format, on: gpu)
                }
                let target = try RenderTarget(textures, on: gpu)
                let program = try Program.test(
                    """
                    precision highp float;
                    layout(location = 0) out vec4 a; layout(location = 1) out vec4 b;
                    layout(location = 2) out vec4 c; layout(location = 3) out vec4 d;
                    void main() { a = vec4(1); b = vec4(0.2, 0.4, 0, 0); c = vec4(0.6, 0.8, 1, 0.2); d = vec4(0.4); }
                    """, on: gpu)
                DrawState(program, into: target).draw(on: gpu)
                return try (0..<4).map { try target.bytes(attachment: $0, on: gpu) }
            }
        }
        #expect(planes[0] == [UInt8](repeating: 255, count: 6))
        #expect(planes[1] == (0..<6).flatMap { _ in [51, 102] as [UInt8] })
        #expect(planes[2] == (0..<6).flatMap { _ in [153, 204, 255, 51] as [UInt8] })
        #expect(planes[3] == [UInt8](repeating: 102, count: 6))
    }

    @Test("reads the texture of each unit, also a texture whose GL name belonged to a deleted one")
    func units() async throws {
        let results = try await RenderContext.with { gpu in
            try await gpu.perform { gpu in
                let size = PixelSize(1, 1)
                let target = try RenderTarget([Texture(size: size, format: .rgba8, on: gpu)], on: gpu)
                let program = try Program.test(
                    """
                    precision highp float;
                    layout(binding = 2) uniform sampler2D a; layout(binding = 7) uniform sampler2D b;
                    layout(location = 0) out vec4 color;
                    void main() { color = vec4(texelFetch(a, ivec2(0), 0).r, texelFetch(b, ivec2(0), 0).r, 0, 1); }
                    """, on: gpu)
                var results: [[UInt8]] = []
                for value in [10, 20, 30] as [UInt8] {
                    var state = DrawState(program, into: target)
                    state.textures[2] = try Texture(size: size, format: .r8, [value], on: gpu)
                    state.textures[7] = try Texture(size: size, format: .r8, [value + 1], on: gpu)
                    state.draw(on: gpu)
                    results.append(try target.bytes(on: gpu))
                }
                return results
            }
        }
        #expect(results == [[10, 11, 0, 255], [20, 21, 0, 255], [30, 31, 0, 255]])
    }

    @Test("writes only the components of its mask")
    func colorMask() async throws {
        let bytes = try await RenderContext.with { gpu in
            try await gpu.perform { gpu in
                let target = try RenderTarget([Texture(size: PixelSize(1, 1), format: .rgba8, on: gpu)], on: gpu)
                target.clear(to: .zero, on: gpu)
                let program = try Program.test(Program.solid, on: gpu)
                program.set(try #require(program.location("paint")), SIMD4<Float>(1, 1, 1, 1), on: gpu)
                var state = DrawState(program, into: target)
                state.colorMask = [.green, .alpha]
                state.draw(on: gpu)
                return try target.bytes(on: gpu)
            }
        }
        #expect(bytes == [0, 255, 0, 255])
    }
}
