internal import CGL
package import PipFrames

/// The state of a compute shader's run, except the program's uniforms.
///
/// Create the value once and run it often: a run allocates nothing.
package struct Dispatch {
    package var program: Program
    /// The texture that the shader writes, declared as `layout(rgba32f, binding = 0) writeonly uniform image2D`.
    ///
    /// The texture's format must be `rgba32f`.
    package var result: Texture
    /// The number of work groups across and down.
    package var groups: PixelSize
    /// The textures that the shader reads, indexed by texture unit.
    package var textures = InlineArray<8, Texture?>(repeating: nil)

    package init(_ program: Program, into result: Texture, groups: PixelSize) {
        self.program = program
        self.result = result
        self.groups = groups
    }

    /// Runs the shader.
    ///
    /// Later draws, runs and read-backs see the result.
    package func run(on gpu: isolated RenderContext) {
        gpu.deletePending()
        gpu.bound.use(program: program.name)
        for unit in textures.indices {
            if let texture = textures[unit] { gpu.bound.bind(texture: texture.name, unit: unit) }
        }
        glBindImageTexture(0, result.name, 0, GLboolean(GL_FALSE), 0, GLenum(GL_WRITE_ONLY), GLenum(GL_RGBA32F))
        glDispatchCompute(GLuint(groups.width), GLuint(groups.height), 1)
        glMemoryBarrier(
            GLbitfield(
                GL_TEXTURE_FETCH_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT))
        assert(gpu.takeError() == nil, "running \(program.label) failed")
    }
}
