internal import CGLES
internal import PipFrames

extension RenderContext {
    /// Copies a target's first texture to another target of the same size and format.
    package func copy(_ source: RenderTarget, to target: RenderTarget) {
        deletePending()
        set(colorMask: .all)
        source.bindForReading(attachment: 0, on: self)
        bind(framebuffer: target.name)
        glBindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), source.name)
        let (width, height) = (GLint(source.size.width), GLint(source.size.height))
        glBlitFramebuffer(
            0, 0, width, height, 0, 0, width, height, GLbitfield(GL_COLOR_BUFFER_BIT), GLenum(GL_NEAREST))
        // The cached binding stands for both of GL's: make them one again.
        glBindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), target.name)
    }
}
