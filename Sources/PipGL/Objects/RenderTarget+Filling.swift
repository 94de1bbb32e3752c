internal import CGL
internal import PipFrames

extension RenderTarget {
    /// Sets every texel of all textures to `color`.
    package func clear(to color: SIMD4<Float>, on gpu: isolated RenderContext) {
        gpu.deletePending()
        gpu.bound.bind(framebuffer: name)
        gpu.bound.set(colorMask: .all)
        glClearColor(color.x, color.y, color.z, color.w)
        glClear(GLbitfield(GL_COLOR_BUFFER_BIT))
    }

    /// Copies the target's first texture to another target of the same size and format.
    package func copy(to target: RenderTarget, on gpu: isolated RenderContext) {
        gpu.deletePending()
        gpu.bound.set(colorMask: .all)
        bindForReading(attachment: 0, on: gpu)
        gpu.bound.bind(framebuffer: target.name)
        glBindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), name)
        let (width, height) = (GLint(size.width), GLint(size.height))
        glBlitFramebuffer(
            0, 0, width, height, 0, 0, width, height, GLbitfield(GL_COLOR_BUFFER_BIT), GLenum(GL_NEAREST))
        // ``BoundState`` caches one framebuffer for reading and drawing, so both bindings are made equal again.
        glBindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), target.name)
    }
}
