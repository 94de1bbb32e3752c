internal import CGLES
internal import PipFrames

/// What a filter gave for the last frame, kept for the next one.
///
/// Not `Sendable`: it lives on its context's thread.
final class History {
    let target: RenderTarget
    /// Whether a frame was kept yet.
    var isFilled = false

    var texture: Texture { target.textures[0] }

    /// `target`: Has one texture, which nothing else draws into.
    init(_ target: RenderTarget) { self.target = target }
}

struct WeakHistory {
    weak var history: History?
}

/// A copy of what was drawn into a history.
struct PreparedKeep {
    let from: RenderTarget
    let history: History
    /// The sources without whose frames it is left out.
    let sources: [Int]

    func run(on gpu: isolated RenderContext) {
        gpu.copy(from, to: history.target)
        history.isFilled = true
    }
}

extension RenderContext {
    /// Copies a target's first texture to another target of the same size and format.
    func copy(_ source: RenderTarget, to target: RenderTarget) {
        deletePending()
        set(colorMask: .all)
        source.bindForReading(attachment: 0, on: self)
        bind(framebuffer: target.name)
        glBindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), source.name)
        let (width, height) = (GLint(source.size.width), GLint(source.size.height))
        glBlitFramebuffer(
            0, 0, width, height, 0, 0, width, height, GLbitfield(GL_COLOR_BUFFER_BIT), GLenum(GL_NEAREST))
        // One of the two is not what the next use thinks.
        glBindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), target.name)
    }
}
