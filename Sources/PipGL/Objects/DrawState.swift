internal import CGL
package import PipFrames

/// The way in which a draw's results are combined with the target's texels.
package enum TargetBlending: Sendable {
    /// Results replace the target's texels.
    case none
    /// Results are blended over the target's texels, with premultiplied alpha: `source + target · (1 - source.a)`.
    case premultipliedOver
    /// The shader outputs two colours, which are blended by component: `first + target · second`.
    ///
    /// Needs ``Capabilities/hasDualSourceBlending``, and outputs with `layout(location = 0, index = 0)` and `index = 1`
    /// in the shader.
    case dualSource
}

/// The colour components that a draw writes.
package struct ColorMask: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let red = ColorMask(rawValue: 1)
    package static let green = ColorMask(rawValue: 2)
    package static let blue = ColorMask(rawValue: 4)
    package static let alpha = ColorMask(rawValue: 8)
    package static let all: ColorMask = [.red, .green, .blue, .alpha]
}

/// The state of a draw, except the program's uniforms.
///
/// A draw sets whatever differs from the last draw, and relies on no other state.
///
/// Create the value once and draw it often: a draw allocates nothing.
package struct DrawState {
    /// The number of textures that one draw can read.
    package static let maxTextures = 8

    package var program: Program
    package var target: RenderTarget
    package var blend = TargetBlending.none
    package var colorMask = ColorMask.all
    /// The textures that the shader reads, indexed by texture unit: `layout(binding = n)` in the shader.
    package var textures = InlineArray<8, Texture?>(repeating: nil)

    package init(_ program: Program, into target: RenderTarget) {
        self.program = program
        self.target = target
    }

    /// Draws all texels of ``target``.
    package func draw(on gpu: isolated RenderContext) {
        var region = target.size.bounds
        unsafe withUnsafePointer(to: &region) {
            unsafe draw(UnsafeBufferPointer(start: $0, count: 1), on: gpu)
        }
    }

    /// Draws rectangles of the target.
    ///
    /// Units: texels. Parts outside the target are cut off. Where rectangles overlap, texels are drawn more than once.
    package func draw(_ regions: Span<PixelRect>, on gpu: isolated RenderContext) {
        unsafe regions.withUnsafeBufferPointer { unsafe draw($0, on: gpu) }
    }

    private func draw(_ regions: UnsafeBufferPointer<PixelRect>, on gpu: isolated RenderContext) {
        apply(on: gpu)
        let size = target.size
        glUniform2f(program.targetSizeLocation, GLfloat(size.width), GLfloat(size.height))
        var packed = InlineArray<8, SIMD4<Int32>>(repeating: .zero)
        var count = 0
        for index in regions.indices {
            let region = unsafe regions[index].intersection(size.bounds)
            if !region.isEmpty {
                packed[count] = SIMD4(Int32(region.x), Int32(region.y), Int32(region.width), Int32(region.height))
                count += 1
            }
            if count == VertexlessQuad.maxRegions || (index == regions.count - 1 && count > 0) {
                drawInstances(packed, count: count)
                count = 0
            }
        }
        assert(gpu.takeError() == nil, "drawing \(program.label) failed")
    }

    private func apply(on gpu: isolated RenderContext) {
        gpu.deletePending()
        gpu.bound.use(program: program.name)
        gpu.bound.bind(framebuffer: target.name)
        gpu.bound.set(viewport: target.size)
        gpu.bound.set(blend: blend)
        gpu.bound.set(colorMask: colorMask)
        for unit in 0..<Self.maxTextures {
            if let texture = textures[unit] { gpu.bound.bind(texture: texture.name, unit: unit) }
        }
    }

    private func drawInstances(_ regions: InlineArray<8, SIMD4<Int32>>, count: Int) {
        unsafe withUnsafePointer(to: regions) {
            unsafe $0.withMemoryRebound(to: GLint.self, capacity: 4 * VertexlessQuad.maxRegions) {
                unsafe glUniform4iv(program.regionsLocation, GLsizei(count), $0)
            }
        }
        glDrawArraysInstanced(GL.triangleStrip, 0, 4, GLsizei(count))
    }
}
