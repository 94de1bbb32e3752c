import PipFrames
import Testing

@testable import PipGL

@Suite("Blending")
struct BlendTests {
    private static let size = PixelSize(16, 4)

    /// Draws over `target` with one or two colours for each pixel, and returns the blended bytes.
    private func blend(
        _ mode: TargetBlending, _ program: String, over target: [UInt8], _ sources: [[UInt8]]
    ) async throws
        -> [UInt8]
    {
        try await RenderContext.with { gpu in
            try await gpu.perform { gpu in
                let texture = try Texture(size: Self.size, format: .rgba8, target, on: gpu)
                let target = try RenderTarget([texture], on: gpu)
                var state = DrawState(try Program.test(program, on: gpu), into: target)
                state.blend = mode
                for (unit, bytes) in sources.enumerated() {
                    state.textures[unit] = try Texture(size: Self.size, format: .rgba8, bytes, on: gpu)
                }
                state.draw(on: gpu)
                return try target.bytes(on: gpu)
            }
        }
    }

    private func expectWithinOneStep(_ bytes: [UInt8], _ expected: (Int) -> Double) {
        for (index, byte) in bytes.enumerated() {
            let reference = min(max(expected(index), 0), 1) * 255
            #expect(abs(Double(byte) - reference) <= 1, "component \(index)")
        }
    }

    @Test("over adds what the source's alpha leaves of the target")
    func premultipliedOver() async throws {
        let count = Self.size.area * 4
        let target = noise(count, seed: 1)
        var source = noise(count, seed: 2)
        for index in source.indices { source[index] = min(source[index], source[index / 4 * 4 + 3]) }
        let bytes = try await blend(.premultipliedOver, Program.copy, over: target, [source])
        expectWithinOneStep(bytes) { index in
            Double(source[index]) / 255 + Double(target[index]) / 255 * (1 - Double(source[index / 4 * 4 + 3]) / 255)
        }
    }

    @Test("dual-source blending weights each component of the target by the second colour")
    func dualSource() async throws {
        let count = Self.size.area * 4
        let target = noise(count, seed: 3)
        let first = noise(count, seed: 4)
        let second = noise(count, seed: 5)
        let program = """
            #extension GL_EXT_blend_func_extended : require
            precision highp float;
            layout(binding = 0) uniform sampler2D firstImage;
            layout(binding = 1) uniform sampler2D secondImage;
            layout(location = 0, index = 0) out vec4 first;
            layout(location = 0, index = 1) out vec4 second;
            void main() {
                first = texelFetch(firstImage, ivec2(gl_FragCoord.xy), 0);
                second = texelFetch(secondImage, ivec2(gl_FragCoord.xy), 0);
            }
            """
        let bytes = try await blend(.dualSource, program, over: target, [first, second])
        expectWithinOneStep(bytes) { index in
            Double(first[index]) / 255 + Double(target[index]) / 255 * Double(second[index]) / 255
        }
    }

    @Test("none replaces the target, also after a draw that blended")
    func none() async throws {
        let bytes = try await RenderContext.with { gpu in
            try await gpu.perform { gpu in
                let target = try RenderTarget([Texture(size: PixelSize(1, 1), format: .rgba8, on: gpu)], on: gpu)
                target.clear(to: SIMD4(1, 1, 1, 1), on: gpu)
                let program = try Program.test(Program.solid, on: gpu)
                program.set(try #require(program.location("paint")), SIMD4<Float>(0, 0, 0, 0.2), on: gpu)
                var state = DrawState(program, into: target)
                state.blend = .premultipliedOver
                state.draw(on: gpu)
                state.blend = .none
                state.draw(on: gpu)
                return try target.bytes(on: gpu)
            }
        }
        #expect(bytes == [0, 0, 0, 51])
    }
}
